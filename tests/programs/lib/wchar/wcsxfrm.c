// Transformation in the C locale is a copy.
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
    wchar_t s[6], d[6] = L"-----";
    word(s, 5);
    printf("%zu\n", wcsxfrm(d, s, 6));
    show(d);
    return 0;
}
