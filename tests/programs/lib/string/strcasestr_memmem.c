// Searching without case, and for bytes. _GNU_SOURCE
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
    char s[16];
    word(s, 15);
    char t[3] = {s[7], s[8], 0};
    if (t[0] >= 'a')
        t[0] -= 32;
    char *p = strcasestr(s, t);
    printf("%d\n", p ? (int)(p - s) : -1);
    p = memmem(s, 15, s + 9, 3);
    printf("%d %d\n", (int)(p - s), memmem(s, 4, "zzzzz", 5) == 0);
    return 0;
}
