// Bytes searched from both ends. _GNU_SOURCE
#define _GNU_SOURCE
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
    word(s, 11);
    char *f = memchr(s, 'b', 8), *l = memrchr(s, 'b', 8);
    printf("%d %d %d\n", f ? (int)(f - s) : -1, l ? (int)(l - s) : -1, memchr(s, 'q', 11) == 0);
    printf("%d\n", (int)((char *)rawmemchr(s, 0) - s));
    return 0;
}
