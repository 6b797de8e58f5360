// Cutting wide strings into words.
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
    wchar_t s[20], *save;
    word(s, 19);
    for (wchar_t *p = wcstok(s, L" ,-", &save); p; p = wcstok(0, L" ,-", &save))
        show(p);
    return 0;
}
