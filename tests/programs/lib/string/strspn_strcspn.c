// Spans of characters in and out of a set.
#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[16];
    word(s, 15);
    printf("%zu %zu %zu\n", strspn(s, "abc"), strcspn(s, "01"), strcspn(s, ""));
    char *p = strpbrk(s, ",-");
    printf("%d\n", p ? (int)(p - s) : -1);
    return 0;
}
