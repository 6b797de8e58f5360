// Floating-point numbers and where they end.
#include <stdio.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void number(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "0123456789.e-+ "[__VERIFIER_nondet_uchar() % 15];
    s[n] = 0;
}

int main(void) {
    char s[10], *e;
    number(s, 9);
    double d = strtod(s, &e);
    printf("%.17g %d\n", d, (int)(e - s));
    printf("%g\n", atof(s));
    return 0;
}
