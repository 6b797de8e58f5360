// Comparisons without case.
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
    for (int i = 0; i < 5; i++)
        b[i] = a[i] >= 'a' ? a[i] - 32 : a[i];
    printf("%d %d\n", strcasecmp(a, b), strncasecmp(a, b, 2));
    word(b, 4);
    printf("%d %d\n", sign(strcasecmp(a, b)), sign(strncasecmp(a, b, 2)));
    return 0;
}
