// Classes by their names.
#include <wctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static const char *const names[] = {"alpha", "digit", "space", "upper", "no such class"};
    for (int i = 0; i < 5; i++) {
        wctype_t t = wctype(names[i]);
        wint_t c = __VERIFIER_nondet_uchar();
        printf("%d %d\n", t != 0, t != 0 && iswctype(c, t));
    }
    return 0;
}
