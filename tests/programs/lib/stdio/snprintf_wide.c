// Wide strings and characters in bytes.
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void word(wchar_t *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = L"abcAB01 ,-"[__VERIFIER_nondet_uchar() % 10];
    s[n] = 0;
}

int main(void) {
    wchar_t w[6];
    word(w, 5);
    char b[40];
    printf("%d\n", snprintf(b, sizeof b, "[%ls|%8ls|%.2ls|%lc]", w, w, w, (wint_t)w[0]));
    puts(b);
    w[1] = 0x20ac;
    printf("%d\n", snprintf(b, sizeof b, "%ls", w));
    return 0;
}
