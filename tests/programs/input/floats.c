// Floating inputs, also written as integers.
#include <stdio.h>

extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    double e = __VERIFIER_nondet_double();
    printf("%.9g %.17g %g\n", f, d, e);
    return 0;
}
