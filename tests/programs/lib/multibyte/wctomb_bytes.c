// Wide characters to bytes.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 6; i++) {
        char b[8] = {1, 2};
        errno = 0;
        int n = wctomb(b, __VERIFIER_nondet_uchar());
        printf("%d %d %d\n", n, b[0], errno);
    }
    return 0;
}
