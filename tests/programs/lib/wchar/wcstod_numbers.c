// Floating-point numbers in wide strings.
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    wchar_t s[9], *e;
    for (int i = 0; i < 8; i++)
        s[i] = L"0123456789.e-"[__VERIFIER_nondet_uchar() % 13];
    s[8] = 0;
    double v = wcstod(s, &e);
    printf("%g %d\n", v, (int)(e - s));
    printf("%g\n", (double)wcstof(L"2.5rest", &e));
    printf("%d\n", (int)*e);
    return 0;
}
