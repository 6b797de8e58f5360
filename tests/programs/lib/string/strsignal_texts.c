// The names of signals.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    for (int s = 1; s <= 15; s++)
        puts(strsignal(s));
    puts(strsignal(99));
    return 0;
}
