// Two strings cut in turns.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char a[12], b[12], *x, *y;
    word(a, 11);
    word(b, 11);
    char *p = strtok_r(a, " ", &x), *q = strtok_r(b, ",", &y);
    while (p || q) {
        printf("%s|%s\n", p ? p : "-", q ? q : "-");
        p = p ? strtok_r(0, " ", &x) : 0;
        q = q ? strtok_r(0, ",", &y) : 0;
    }
    return 0;
}
