// The remainder of two doubles is smaller than the divisor. Whether this is decided or not: in the time that is given.
#include <assert.h>
#include <math.h>

double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (!(y > 1 && y < 1e300 && x > 1 && x < 1e300))
        return 0;
    assert(fmod(x, y) < y);
    return 0;
}
