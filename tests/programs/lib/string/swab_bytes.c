// Swapping neighbours. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[9], d[9] = "--------";
    word(s, 8);
    swab(s, d, 7);
    puts(d);
    swab(s, d, 8);
    puts(d);
    swab(s, d, -2);
    puts(d);
    return 0;
}
