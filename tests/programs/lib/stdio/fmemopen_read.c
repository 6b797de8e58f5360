// A string as a stream. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[11];
    word(s, 10);
    FILE *f = fmemopen(s, 10, "r");
    int c, n = 0;
    while ((c = getc(f)) != EOF)
        n = n * 7 + c;
    printf("%d %d\n", n, feof(f) != 0);
    rewind(f);
    printf("%d\n", feof(f));
    printf("%d\n", getc(f));
    fclose(f);
    return 0;
}
