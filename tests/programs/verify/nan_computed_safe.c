// The sign of a NaN that is computed is anybody's guess; here processors set it.
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    double zero = __VERIFIER_nondet_double();
    if (zero != 0)
        return 0;
    double x = zero / zero;
    double y = INFINITY - INFINITY;
    if (!isnan(x) || !isnan(y) || signbit(fabs(x)) || signbit(fabs(y)) || x == x)
        reach_error();
    return 0;
}
