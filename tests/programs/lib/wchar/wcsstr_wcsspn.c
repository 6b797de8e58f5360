// Searching in wide strings.
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    wchar_t s[12], t[3];
    word(s, 11);
    t[0] = s[4];
    t[1] = s[5];
    t[2] = 0;
    printf("%d %zu %zu\n", (int)(wcsstr(s, t) - s), wcsspn(s, L"abc"), wcscspn(s, L"01"));
    wchar_t *p = wcspbrk(s, L",-");
    printf("%d\n", p ? (int)(p - s) : -1);
    return 0;
}
