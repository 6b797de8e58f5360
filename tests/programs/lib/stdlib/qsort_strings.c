// Sorting pointers to strings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void) {
    char s[5][5], *p[5];
    for (int i = 0; i < 5; i++) {
        word(s[i], 4);
        p[i] = s[i];
    }
    qsort(p, 5, sizeof *p, compare);
    for (int i = 0; i < 5; i++)
        puts(p[i]);
    return 0;
}
