// Bytes from 128 on belong to no class.
#include <ctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 6; i++) {
        int c = 128 + __VERIFIER_nondet_uchar() % 128;
        printf("%d %d %d %d\n", !!isalpha(c), !!isprint(c), toupper(c) == c, !!iscntrl(c));
    }
    printf("%d %d\n", !!isalpha(EOF), toupper(EOF));
    return 0;
}
