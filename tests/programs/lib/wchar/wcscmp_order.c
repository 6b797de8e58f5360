// Wide characters compare as numbers; only the sign of the result is fixed.
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
    wchar_t a[5], b[5];
    word(a, 4);
    word(b, 4);
    b[0] = a[0];
    printf("%d %d %d\n", sign(wcscmp(a, b)), sign(wcsncmp(a, b, 1)),
           sign(wcscoll(a, b)) == sign(wcscmp(a, b)));
    a[1] = -5;
    printf("%d %d\n", sign(wcscmp(a, b)), sign(wcsncmp(b, a, 3)));
    return 0;
}
