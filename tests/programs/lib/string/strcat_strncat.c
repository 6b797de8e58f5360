// Appending all or some.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char a[6], b[6], d[40];
    word(a, 5);
    word(b, 5);
    strcpy(d, a);
    strcat(d, b);
    strncat(d, a, 3);
    strncat(d, b, 30);
    printf("%s %zu\n", d, strlen(d));
    return 0;
}
