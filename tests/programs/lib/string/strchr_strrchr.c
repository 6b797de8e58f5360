// First and last occurrence, and the terminator.
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
    for (const char *p = "ab0-z"; *p; p++) {
        char *f = strchr(s, *p), *l = strrchr(s, *p);
        printf("%d %d\n", f ? (int)(f - s) : -1, l ? (int)(l - s) : -1);
    }
    printf("%d\n", (int)(strchr(s, 0) - s));
    return 0;
}
