// Numbers of the widest type.
#include <stdio.h>
#include <inttypes.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void number(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "0123456789 -+x"[__VERIFIER_nondet_uchar() % 14];
    s[n] = 0;
}

int main(void) {
    char s[7], *e;
    number(s, 6);
    printf("%jd ", strtoimax(s, &e, 10));
    printf("%d %ju\n", (int)(e - s), strtoumax(s, 0, 16));
    return 0;
}
