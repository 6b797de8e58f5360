// Words of a text begin with capitals.
#include <ctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[25];
    word(s, 24);
    int inside = 0;
    for (char *p = s; *p; p++) {
        *p = inside ? tolower((unsigned char)*p) : toupper((unsigned char)*p);
        inside = isalnum((unsigned char)*p);
    }
    puts(s);
    return 0;
}
