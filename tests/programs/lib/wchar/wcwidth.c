// Columns of characters in the C locale. _GNU_SOURCE
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
    wchar_t s[5];
    word(s, 4);
    printf("%d %d %d %d\n", wcwidth(s[0]), wcwidth(0), wcwidth(7), wcswidth(s, 4));
    s[2] = 3;
    printf("%d\n", wcswidth(s, 4));
    return 0;
}
