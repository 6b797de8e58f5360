// The first bit that is set. _GNU_SOURCE
#define _GNU_SOURCE
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
    for (int i = 0; i < 6; i++) {
        unsigned x = (unsigned)__VERIFIER_nondet_uchar() << (5 * i);
        printf("%d %d %d\n", ffs((int)x), ffsl((long)x), ffsll((long long)x << 20));
    }
    printf("%d\n", ffs(0));
    return 0;
}
