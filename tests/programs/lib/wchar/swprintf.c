// Text formatted in wide characters, with and without room for it.
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

static int through_list(wchar_t *buf, size_t n, const wchar_t *format, ...) {
    va_list ap;
    va_start(ap, format);
    int r = vswprintf(buf, n, format, ap);
    va_end(ap);
    return r;
}

static void show(const wchar_t *s, int r) {
    printf("%d", r);
    for (; r > 0 && *s; s++)
        printf(" %d", (int)*s);
    printf("\n");
}

int main(void) {
    wchar_t buf[16];
    show(buf, swprintf(buf, 16, L"%d-%05x", -42, 255));
    show(buf, swprintf(buf, 16, L"%ls|%s|%c", L"ab", "cd", 'e'));
    show(buf, swprintf(buf, 16, L"%8.3f", 1.5));
    show(buf, through_list(buf, 16, L"%-4u%%", 7u));
    show(buf, swprintf(buf, 3, L"%d", 12));
    show(buf, swprintf(buf, 2, L"%d", 12));
    show(buf, swprintf(buf, 16, L""));
    return 0;
}
