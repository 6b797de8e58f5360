// Wide strings built by hand.
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
    wchar_t s[12];
    int n = 0;
    for (unsigned v = __VERIFIER_nondet_uchar() * 77u; v || !n; v /= 10)
        s[n++] = L'0' + v % 10;
    s[n] = 0;
    for (int i = 0; i < n / 2; i++) {
        wchar_t t = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = t;
    }
    show(s);
    return 0;
}
