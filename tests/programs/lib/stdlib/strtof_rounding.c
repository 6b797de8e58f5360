// Texts are rounded to float once.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void number(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "0123456789.e"[__VERIFIER_nondet_uchar() % 12];
    s[n] = 0;
}

int main(void) {
    static const char *const texts[] = {"1.00000017881393432617187499", "16777217", "3.4028236e38", "1e39", "1e-46", "0.1"};
    for (int i = 0; i < 6; i++) {
        errno = 0;
        float f = strtof(texts[i], 0);
        printf("%.9g %d\n", f, errno);
    }
    char s[8], *e;
    number(s, 7);
    float f = strtof(s, &e);
    printf("%.9g %d\n", f, (int)(e - s));
    return 0;
}
