// Words scanned from an array. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[21], w[21];
    word(s, 20);
    FILE *f = fmemopen(s, 20, "r");
    while (fscanf(f, "%20s", w) == 1)
        puts(w);
    fclose(f);
    return 0;
}
