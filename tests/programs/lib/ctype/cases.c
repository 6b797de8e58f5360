// Upper and lower case, and ASCII.
#include <ctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 12; i++) {
        int c = __VERIFIER_nondet_uchar();
        printf("%d %d %d %d\n", toupper(c), tolower(c), !!isascii(c), toascii(c));
    }
    return 0;
}
