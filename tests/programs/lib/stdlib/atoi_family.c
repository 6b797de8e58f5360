// Numbers at the start of texts.
#include <stdio.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void number(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "0123456789 -+x"[__VERIFIER_nondet_uchar() % 14];
    s[n] = 0;
}

int main(void) {
    char s[7];
    number(s, 6);
    printf("%d %ld %lld\n", atoi(s), atol(s), atoll(s));
    return 0;
}
