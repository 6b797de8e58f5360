// Sets of characters in scanf.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[20], a[20] = "", b[20] = "";
    word(s, 16);
    int r = sscanf(s, "%[^ ,]%*[ ,]%19[]a-zA-Z-]", a, b);
    printf("%d [%s] [%s] [%s]\n", r, s, a, b);
    return 0;
}
