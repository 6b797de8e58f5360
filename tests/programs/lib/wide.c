// Wide characters and strings.
#include <stdio.h>
#include <wchar.h>
#include <stddef.h>

int main(void) {
    wchar_t w[] = L"caf\u00e9";
    int n = 0;
    for (wchar_t *p = w; *p; p++) n += *p;
    printf("%d %zu %zu\n", n, sizeof w / sizeof *w, wcslen(w));
    wchar_t c = L'\u20ac';
    printf("%lx %d\n", (long)c, c > 255);
    return 0;
}
