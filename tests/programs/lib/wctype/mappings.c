// Case of wide characters, by function and by name.
#include <wctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 8; i++) {
        wint_t c = __VERIFIER_nondet_uchar();
        printf("%d %d %d %d\n", (int)towupper(c), (int)towlower(c), (int)towctrans(c, wctrans("toupper")),
               (int)towctrans(c, wctrans("tolower")));
    }
    printf("%d\n", wctrans("none") == 0);
    return 0;
}
