// lrint follows the rounding mode, which is to nearest here: it is not the floor.
#include <fenv.h>
#include <math.h>

extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= -100 && x <= 100))
        return 0;
    fesetround(FE_TONEAREST);
    long n = lrintf(x);
    fesetround(FE_TONEAREST);
    if (!(n <= x && x < n + 1))
        reach_error();
    return 0;
}
