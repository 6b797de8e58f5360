// rint, nearbyint, lrint and llrint in all rounding modes, beside functions that do not depend on the mode.
#include <fenv.h>
#include <math.h>
#include <stdio.h>

extern double __VERIFIER_nondet_double(void);

int main(void) {
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    volatile double x = __VERIFIER_nondet_double();
    volatile float f = (float)x;
    volatile long double l = (long double)x * 1.5L;
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        volatile double r = rint(x), n = nearbyint(x), round_ = round(x), floor_ = floor(x), ceil_ = ceil(x), t = trunc(x);
        volatile float rf = rintf(f), nf = nearbyintf(f), roundf_ = roundf(f);
        volatile long double rl = rintl(l), nl = nearbyintl(l), floorl_ = floorl(l);
        volatile long a = lrint(x), af = lrintf(f), al = lrintl(l), b = lround(x);
        volatile long long c = llrint(x), cf = llrintf(f), cl = llrintl(l), d = llround(x);
        fesetround(FE_TONEAREST);
        printf("%d: %a %a %a %a %a %a", m, r, n, round_, floor_, ceil_, t);
        printf(" %a %a %a %La %La %La", rf, nf, roundf_, rl, nl, floorl_);
        printf(" %ld %ld %ld %ld %lld %lld %lld %lld\n", a, af, al, b, c, cf, cl, d);
    }
    return 0;
}
