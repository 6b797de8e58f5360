// In the C locale collation is comparison.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}
static int sign(int x) {
    return (x > 0) - (x < 0);
}

int main(void) {
    char a[7], b[7], d[7] = "xxxxxx";
    word(a, 6);
    word(b, 6);
    printf("%d\n", sign(strcoll(a, b)) == sign(strcmp(a, b)));
    printf("%zu %s\n", strxfrm(d, a, 7), d);
    printf("%zu\n", strxfrm(0, a, 0));
    return 0;
}
