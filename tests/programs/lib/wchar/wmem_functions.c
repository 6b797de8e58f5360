// Memory of wide characters.
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
    wchar_t a[8], b[8];
    word(a, 7);
    wmemcpy(b, a, 8);
    wmemmove(b + 1, b, 4);
    show(b);
    wmemset(b, L'x', 2);
    show(b);
    printf("%d %d\n", wmemcmp(a, b, 0), (wmemcmp(a, b, 8) > 0) - (wmemcmp(a, b, 8) < 0));
    wchar_t *p = wmemchr(a, L'a', 7);
    printf("%d\n", p ? (int)(p - a) : -1);
    return 0;
}
