// Copies on the heap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[8];
    word(s, 7);
    char *a = strdup(s), *b = strndup(s, 3), *c = strndup(s, 30);
    s[0] = '!';
    printf("%s %s %s\n", a, b, c);
    free(a);
    free(b);
    free(c);
    return 0;
}
