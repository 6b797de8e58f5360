// Filling and copying some bytes. _GNU_SOURCE
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
    char s[17], d[17];
    word(s, 16);
    memset(d, s[0], 16);
    d[16] = 0;
    memcpy(d + 4, s, 5);
    puts(d);
    printf("%d\n", (int)((char *)mempcpy(d, s, 9) - d));
    puts(d);
    return 0;
}
