// Conversion that remembers where it is.
#include <stdio.h>
#include <string.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(char *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = "abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    char s[9];
    word(s, 8);
    const char *p = s;
    wchar_t w[10];
    mbstate_t state;
    memset(&state, 0, sizeof state);
    int n = (int)mbsrtowcs(w, &p, 4, &state);
    printf("%d %d\n", n, (int)(p - s));
    n = (int)mbsrtowcs(w, &p, 10, &state);
    printf("%d %d\n", n, p == 0);
    const wchar_t *q = w;
    char b[10];
    n = (int)wcsrtombs(b, &q, 10, &state);
    printf("%d %s\n", n, b);
    return 0;
}
