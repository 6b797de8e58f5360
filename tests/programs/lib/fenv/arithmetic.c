// Addition, subtraction, multiplication, division and square roots in all rounding modes and precisions.
#include <fenv.h>
#include <math.h>
#include <stdio.h>

extern double __VERIFIER_nondet_double(void);

static void show(const char *what, long double x) {
    if (isnan(x))
        printf(" %s nan", what);
    else
        printf(" %s %La", what, x);
}

int main(void) {
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    volatile double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    volatile float fx = (float)x, fy = (float)y;
    volatile long double lx = (long double)x * 1.1L, ly = (long double)y * 0.9L;
    for (int m = 0; m < 4; m++) {
        if (fesetround(modes[m]) != 0 || fegetround() != modes[m])
            return 1;
        volatile double sum = x + y, difference = x - y, product = x * y, quotient = x / y, root = sqrt(fabs(x));
        volatile float fsum = fx + fy, fdifference = fx - fy, fproduct = fx * fy, fquotient = fx / fy;
        volatile float froot = sqrtf(fabsf(fx));
        volatile long double lsum = lx + ly, ldifference = lx - ly, lproduct = lx * ly, lquotient = lx / ly;
        volatile long double lroot = sqrtl(fabsl(lx));
        volatile double both = -x * y + x;
        fesetround(FE_TONEAREST);
        printf("%d:", m);
        show("d", sum);
        show("", difference);
        show("", product);
        show("", quotient);
        show("", root);
        show("", both);
        show("f", fsum);
        show("", fdifference);
        show("", fproduct);
        show("", fquotient);
        show("", froot);
        show("l", lsum);
        show("", ldifference);
        show("", lproduct);
        show("", lquotient);
        show("", lroot);
        printf("\n");
    }
    return 0;
}
