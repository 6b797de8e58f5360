// Whole strings to wide ones and back.
#include <stdio.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[8], b[8] = "-------";
    wchar_t w[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    word(s, 7);
    printf("%d %d\n", (int)mbstowcs(w, s, 8), (int)mbstowcs(0, s, 0));
    printf("%d\n", (int)mbstowcs(w, s, 3));
    for (int i = 0; i < 8; i++)
        printf("%d ", (int)w[i]);
    printf("%d %s\n", (int)wcstombs(b, w, 8), b);
    return 0;
}
