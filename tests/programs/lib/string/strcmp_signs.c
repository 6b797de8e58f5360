// Comparisons by bytes, as signs.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}
static int sign(int x) {
    return (x > 0) - (x < 0);
}

int main(void) {
    char a[5], b[5];
    word(a, 4);
    word(b, 4);
    b[0] = a[0];
    printf("%d %d %d\n", sign(strcmp(a, b)), sign(strncmp(a, b, 1)), sign(strncmp(a, b, 3)));
    a[1] = (char)200;
    printf("%d %d\n", sign(strcmp(a, b)), sign(memcmp(a, b, 4)));
    return 0;
}
