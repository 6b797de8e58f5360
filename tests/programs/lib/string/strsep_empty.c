// strsep gives empty fields, too. _GNU_SOURCE
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
    char s[16], *p = s, *f;
    word(s, 15);
    while ((f = strsep(&p, ",-")))
        printf("[%s]", f);
    putchar('\n');
    return 0;
}
