// Parts of paths.
#include <stdio.h>
#include <string.h>
#include <libgen.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char *p[] = {"/usr/lib", "/usr/", "usr", "/", ".", "", "a//b//", "/x"};
    for (int i = 0; i < 8; i++) {
        char a[16], b[16];
        strcpy(a, p[i]);
        strcpy(b, p[i]);
        printf("%s %s\n", basename(a), dirname(b));
    }
    char s[12];
    word(s, 11);
    s[3] = s[8] = '/';
    char t[12];
    strcpy(t, s);
    printf("%s|%s\n", basename(s), dirname(t));
    return 0;
}
