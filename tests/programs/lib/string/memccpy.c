// Copying up to a character.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[13], d[13];
    word(s, 12);
    memset(d, 0, sizeof d);
    char *e = memccpy(d, s, 'a', 12);
    printf("%s %d\n", d, e ? (int)(e - d) : -1);
    return 0;
}
