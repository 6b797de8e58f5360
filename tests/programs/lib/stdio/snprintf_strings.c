// Strings, cut and padded.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[9], b[80];
    word(s, 8);
    printf("%d\n", snprintf(b, sizeof b, "[%s|%3s|%12s|%-12s|%.3s|%8.2s]", s, s, s, s, s, s));
    puts(b);
    sprintf(b, "%s %.3s", (char *)0, (char *)0);
    puts(b);
    return 0;
}
