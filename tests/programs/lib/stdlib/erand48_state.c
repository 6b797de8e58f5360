// Generators with a state of their own.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned short x[3] = {1, 2, 3}, y[3];
    x[1] = (unsigned short)__VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++)
        y[i] = x[i];
    printf("%ld\n", nrand48(x));
    printf("%ld\n", jrand48(x));
    printf("%.17g\n", erand48(x));
    unsigned short *old = seed48(y);
    printf("%d\n", old != 0);
    printf("%ld\n", lrand48());
    printf("%ld\n", mrand48());
    unsigned short all[7] = {5, 6, 7, 8, 9, 10, 11};
    lcong48(all);
    printf("%ld\n", lrand48());
    return 0;
}
