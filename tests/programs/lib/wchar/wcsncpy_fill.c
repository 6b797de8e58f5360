// wcsncpy fills with zeros. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    wchar_t s[5], d[10];
    word(s, 4);
    wmemset(d, L'#', 10);
    int n = __VERIFIER_nondet_uchar() % 9;
    wcsncpy(d, s, n);
    for (int i = 0; i < 10; i++)
        printf("%d ", (int)d[i]);
    printf("%d\n", (int)(wcpncpy(d, s, n) - d));
    return 0;
}
