// Classes of wide characters.
#include <wctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 20; i++) {
        wint_t c = __VERIFIER_nondet_uchar();
        printf("%d%d%d%d%d%d%d%d%d%d%d%d\n", !!iswalnum(c), !!iswalpha(c), !!iswblank(c), !!iswcntrl(c), !!iswdigit(c),
               !!iswgraph(c), !!iswlower(c), !!iswprint(c), !!iswpunct(c), !!iswspace(c), !!iswupper(c), !!iswxdigit(c));
    }
    return 0;
}
