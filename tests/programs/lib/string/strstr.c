// A string in a string.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[16], t[3];
    word(s, 15);
    t[0] = s[__VERIFIER_nondet_uchar() % 14];
    t[1] = s[5];
    t[2] = 0;
    char *p = strstr(s, t);
    printf("%d %d %d\n", p ? (int)(p - s) : -1, strstr(s, "") == s, strstr(s, "zz") == 0);
    return 0;
}
