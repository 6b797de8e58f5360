// Conversions in all rounding modes: between the precisions, from integers, and to integers, which never
// depend on the mode.
#include <fenv.h>
#include <math.h>
#include <stdio.h>

extern double __VERIFIER_nondet_double(void);
extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    volatile double x = __VERIFIER_nondet_double();
    volatile long long n = __VERIFIER_nondet_longlong();
    volatile unsigned long long u = (unsigned long long)n;
    volatile int i = (int)n;
    volatile unsigned v = (unsigned)n;
    volatile long double l = (long double)x * 1.000000000000000001L;
    for (int m = 0; m < 4; m++) {
        fesetround(modes[m]);
        volatile float from_double = (float)x, from_long_double = (float)l, from_int = (float)i, from_unsigned = (float)v;
        volatile float from_wide = (float)n, from_wide_unsigned = (float)u;
        volatile double narrowed = (double)l, whole = (double)n, whole_unsigned = (double)u, exact = (double)i;
        volatile long double wide = (long double)n, wide_unsigned = (long double)u;
        volatile long long back = fabs(x) < 1e18 ? (long long)x : 0;
        volatile int small = fabs(x) < 1e9 ? (int)x : 0;
        volatile float assigned = 0.5f;
        assigned += x;
        fesetround(FE_TONEAREST);
        printf("%d: %a %a %a %a %a %a", m, from_double, from_long_double, from_int, from_unsigned, from_wide, from_wide_unsigned);
        printf(" %a %a %a %a %La %La", narrowed, whole, whole_unsigned, exact, wide, wide_unsigned);
        printf(" %lld %d %a\n", back, small, assigned);
    }
    return 0;
}
