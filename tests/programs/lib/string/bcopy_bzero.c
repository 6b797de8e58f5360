// The old names for moving and clearing.
#include <stdio.h>
#include <string.h>
#include <strings.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[9];
    word(s, 8);
    bcopy(s, s + 1, 6);
    puts(s);
    bzero(s + 3, 3);
    printf("%zu %d\n", strlen(s), bcmp(s, s, 8));
    printf("%d %d\n", index(s, 'q') == 0, rindex(s, 0) == s + strlen(s));
    return 0;
}
