// Where the search ends if there is nothing. _GNU_SOURCE
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
    printf("%d %d\n", (int)(strchrnul(s, 'a') - s), (int)(strchrnul(s, 'z') - s));
    return 0;
}
