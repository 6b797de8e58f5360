// Single bytes.
#include <stdio.h>
#include <wchar.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 8; i++) {
        int c = __VERIFIER_nondet_uchar();
        printf("%d %d\n", (int)btowc(c), wctob((wint_t)c));
    }
    printf("%d\n", btowc(EOF) == WEOF);
    return 0;
}
