// Cutting a string into words.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[20];
    word(s, 19);
    for (char *p = strtok(s, " ,-"); p; p = strtok(0, " ,-"))
        printf("[%s]\n", p);
    return 0;
}
