// Every class of a character.
#include <ctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 20; i++) {
        int c = __VERIFIER_nondet_uchar() & 127;
        printf("%d%d%d%d%d%d%d%d%d%d%d%d\n", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c),
               !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c));
    }
    return 0;
}
