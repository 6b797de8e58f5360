// With rounding to nearest a sum of positive numbers need not be greater than either.
#include <fenv.h>

extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (!(x >= 1 && x <= 2 && y > 0 && y <= 1))
        return 0;
    if (fesetround(FE_TONEAREST) != 0)
        return 0;
    volatile double sum = x + y;
    if (!(sum > x))
        reach_error();
    return 0;
}
