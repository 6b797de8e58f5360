// Long doubles have 64 bits of precision.
#include <stdio.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void number(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "0123456789.e"[__VERIFIER_nondet_uchar() % 12];
    s[n] = 0;
}

int main(void) {
    char *e;
    long double x = strtold("0.1 rest", &e);
    printf("%.25Lg [%s]\n", x, e);
    printf("%.25Lg\n", strtold("18446744073709551617", 0));
    char s[8];
    number(s, 7);
    printf("%.21Lg\n", strtold(s, &e));
    return 0;
}
