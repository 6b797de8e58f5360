// Searching a wide character. _GNU_SOURCE
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
    word(s, 11);
    wchar_t *f = wcschr(s, L'a'), *l = wcsrchr(s, L'a');
    printf("%d %d %d\n", f ? (int)(f - s) : -1, l ? (int)(l - s) : -1, (int)(wcschrnul(s, L'z') - s));
    printf("%d\n", (int)(wcschr(s, 0) - s));
    return 0;
}
