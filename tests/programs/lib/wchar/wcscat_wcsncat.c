// Appending wide strings.
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}
static void show(const wchar_t *s) {
    for (; *s; s++)
        putchar((int)*s);
    putchar('\n');
}

int main(void) {
    wchar_t a[5], b[5], d[30];
    word(a, 4);
    word(b, 4);
    wcscpy(d, a);
    wcscat(d, b);
    wcsncat(d, a, 2);
    show(wcsncat(d, b, 20));
    printf("%zu\n", wcslen(d));
    return 0;
}
