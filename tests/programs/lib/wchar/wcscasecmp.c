// Wide strings without case. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    wchar_t a[5], b[5];
    word(a, 4);
    for (int i = 0; i < 5; i++)
        b[i] = towupper(a[i]);
    printf("%d %d\n", wcscasecmp(a, b), wcsncasecmp(a, b, 2));
    word(b, 4);
    int r = wcscasecmp(a, b);
    printf("%d\n", (r > 0) - (r < 0));
    return 0;
}
