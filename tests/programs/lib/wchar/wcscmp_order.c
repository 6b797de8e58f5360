// Wide characters compare as numbers.
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    wchar_t a[5], b[5];
    word(a, 4);
    word(b, 4);
    b[0] = a[0];
    printf("%d %d %d\n", wcscmp(a, b), wcsncmp(a, b, 1), wcscoll(a, b) == wcscmp(a, b));
    a[1] = -5;
    printf("%d %d\n", wcscmp(a, b), wcsncmp(b, a, 3));
    return 0;
}
