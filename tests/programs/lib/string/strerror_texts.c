// The texts of errors.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}
#define strerror_r __xpg_strerror_r
int __xpg_strerror_r(int, char *, size_t);

int main(void) {
    for (int e = 0; e < 41; e++)
        puts(strerror(e));
    printf("%s\n", strerror(-1));
    char b[40];
    printf("%s\n", strerror_r(2, b, sizeof b) == 0 ? b : "other");
    return 0;
}
