// Lengths of wide strings. _GNU_SOURCE
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
    wchar_t s[12];
    word(s, __VERIFIER_nondet_uchar() % 11);
    printf("%zu %zu %zu\n", wcslen(s), wcsnlen(s, 3), wcsnlen(s, 50));
    return 0;
}
