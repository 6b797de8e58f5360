// A quotient that cannot be represented is not the same in both directions.
#include <fenv.h>

extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= 1 && x <= 16))
        return 0;
    volatile float dividend = x, divisor = 3;
    fesetround(FE_DOWNWARD);
    float low = dividend / divisor;
    fesetround(FE_UPWARD);
    float high = dividend / divisor;
    if (low != high)
        reach_error();
    return 0;
}
