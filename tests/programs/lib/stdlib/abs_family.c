// Absolute values of all widths.
#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < 4; i++) {
        int x = __VERIFIER_nondet_int();
        printf("%d %ld %lld %lld\n", abs(x), labs(x), llabs((long long)x * 4), (long long)imaxabs(x));
    }
    return 0;
}
