// Numbers in wide strings.
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    wchar_t s[8], *e;
    for (int i = 0; i < 7; i++)
        s[i] = L"0123456789 xf-"[__VERIFIER_nondet_uchar() % 14];
    s[7] = 0;
    for (int base = 0; base <= 16; base += 8) {
        long v = wcstol(s, &e, base);
        printf("%ld %d\n", v, (int)(e - s));
        unsigned long u = wcstoul(s, &e, base);
        printf("%lu %d\n", u, (int)(e - s));
    }
    printf("%lld %llu\n", wcstoll(L"-99999999999", 0, 10), wcstoull(L"ffffffffff", 0, 16));
    return 0;
}
