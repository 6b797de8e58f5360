// Classes of wide characters.
#include <wctype.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    wint_t c = (wint_t)__VERIFIER_nondet_uint();
    if (iswalpha(c) && towupper(c) == c)
        reach_error();
    return 0;
}
