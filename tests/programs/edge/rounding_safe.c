// The rounding mode is what the program sets: a third is larger upward than downward, and a whole number the same.
#include <assert.h>
#include <fenv.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    volatile double one = 1, three = 3, half = __VERIFIER_nondet_uchar();
    fesetround(FE_UPWARD);
    double up = one / three, exact = half / 2;
    fesetround(FE_DOWNWARD);
    double down = one / three;
    assert(up > down);
    assert(half / 2 == exact);
    fesetround(FE_TONEAREST);
    assert(fegetround() == FE_TONEAREST);
    return 0;
}
