// The sign of a long double, zeroes and NaNs included.
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    long double x = __VERIFIER_nondet_double();
    long double y = -x;
    if (signbit(x) && y == 0)
        reach_error();
    return 0;
}
