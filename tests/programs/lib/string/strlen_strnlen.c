// Lengths, bounded and not.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[12];
    int n = __VERIFIER_nondet_uchar() % 11;
    word(s, n);
    printf("%zu %zu %zu\n", strlen(s), strnlen(s, 4), strnlen(s, 40));
    s[n / 2] = 0;
    printf("%zu\n", strlen(s));
    return 0;
}
