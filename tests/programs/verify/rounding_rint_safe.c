// lrint follows the rounding mode: downward it is the floor.
#include <fenv.h>
#include <math.h>

extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= -100 && x <= 100))
        return 0;
    fesetround(FE_DOWNWARD);
    long n = lrintf(x);
    fesetround(FE_TONEAREST);
    if (!(n <= x && x < n + 1))
        reach_error();
    return 0;
}
