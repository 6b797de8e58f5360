// The rounding mode is part of the environment: it is saved, set and restored with it.
#include <fenv.h>
#include <stdio.h>

static double third(void) {
    volatile double one = 1, three = 3;
    return one / three;
}

int main(void) {
    fenv_t kept, held;
    printf("%d", fegetround() == FE_TONEAREST);
    // No such mode: nothing changes.
    printf(" %d %d", fesetround(0x123) != 0, fegetround() == FE_TONEAREST);
    fesetround(FE_UPWARD);
    double up = third();
    fegetenv(&kept);
    fesetround(FE_DOWNWARD);
    double down = third();
    fesetenv(&kept);
    printf(" %d %d", fegetround() == FE_UPWARD, third() == up);
    fesetenv(FE_DFL_ENV);
    printf(" %d", fegetround() == FE_TONEAREST);
    fesetround(FE_TOWARDZERO);
    feholdexcept(&held);
    printf(" %d", fegetround() == FE_TOWARDZERO);
    fesetround(FE_UPWARD);
    feupdateenv(&held);
    printf(" %d", fegetround() == FE_TOWARDZERO);
    printf(" %d\n", third() == down);
    fesetround(FE_TONEAREST);
    printf("%a %a\n", up, down);
    return 0;
}
