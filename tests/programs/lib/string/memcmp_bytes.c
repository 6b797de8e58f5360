// Bytes compare as unsigned.
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
    unsigned char a[6], b[6];
    for (int i = 0; i < 6; i++) {
        a[i] = __VERIFIER_nondet_uchar();
        b[i] = i < 3 ? a[i] : __VERIFIER_nondet_uchar();
    }
    printf("%d %d %d\n", sign(memcmp(a, b, 3)), sign(memcmp(a, b, 6)), sign(memcmp(a + 4, b + 4, 0)));
    return 0;
}
