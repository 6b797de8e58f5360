// A wide copy on the heap. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
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
    wchar_t s[6];
    word(s, 5);
    wchar_t *p = wcsdup(s);
    s[0] = L'!';
    show(p);
    free(p);
    return 0;
}
