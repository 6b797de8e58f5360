// Copies, and where they end. _GNU_SOURCE
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
    char s[9], d[20] = "................";
    word(s, 8);
    printf("%s\n", strcpy(d, s));
    char *e = stpcpy(d + 3, s);
    printf("%s %d\n", d, (int)(e - d));
    return 0;
}
