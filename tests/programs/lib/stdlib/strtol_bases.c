// Integers in every base, and where they end.
#include <stdio.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void number(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "0123456789abxz -"[__VERIFIER_nondet_uchar() % 16];
    s[n] = 0;
}

int main(void) {
    char s[9], *e;
    number(s, 8);
    for (int base = 2; base <= 36; base += 7) {
        long v = strtol(s, &e, base);
        printf("%ld %d\n", v, (int)(e - s));
    }
    long v = strtol(s, &e, 0);
    printf("%ld %d\n", v, (int)(e - s));
    return 0;
}
