// strncpy fills with zeros and may leave no terminator.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[6], d[12];
    word(s, 5);
    memset(d, '#', sizeof d);
    strncpy(d, s, __VERIFIER_nondet_uchar() % 10);
    for (int i = 0; i < 12; i++)
        printf("%d ", d[i]);
    putchar('\n');
    return 0;
}
