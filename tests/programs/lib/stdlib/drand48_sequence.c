// The generator of 48 bits is the same everywhere.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    srand48(__VERIFIER_nondet_int());
    for (int i = 0; i < 4; i++) {
        printf("%ld\n", lrand48());
        printf("%ld\n", mrand48());
        printf("%.17g\n", drand48());
    }
    return 0;
}
