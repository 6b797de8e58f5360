// Moves to both sides of an overlap.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[17];
    word(s, 16);
    int n = __VERIFIER_nondet_uchar() % 8;
    memmove(s + 2, s, 8);
    puts(s);
    memmove(s, s + 3, n);
    puts(s);
    memmove(s + n, s + n, 3);
    puts(s);
    return 0;
}
