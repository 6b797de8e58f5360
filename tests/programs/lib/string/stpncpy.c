// stpncpy points to the first zero it wrote. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[6], d[12] = "-----------";
    word(s, 5);
    int n = __VERIFIER_nondet_uchar() % 10;
    printf("%d", (int)(stpncpy(d, s, n) - d));
    for (int i = 0; i < 12; i++)
        printf(" %d", d[i]);
    putchar('\n');
    return 0;
}
