// cosh: the values of the library, special values, errors.
#include <errno.h>
#include <math.h>
#include <stdio.h>

extern double __VERIFIER_nondet_double(void);

static void show(long double x) {
    if (isnan(x))
        printf(" nan");
    else
        printf(" %.5Lg", x);
    printf("/%d", errno);
    errno = 0;
}

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double(), z = __VERIFIER_nondet_double();
    float fx = (float)x, fy = (float)y, fz = (float)z;
    long double lx = (long double)x * 1.5L, ly = (long double)y * 0.75L;
    int n = 0;
    volatile double d;
    volatile float f;
    errno = 0;
    show((d = cosh(x), d));
    show((f = coshf(fx), f));
    show((d = cosh(0.0), d));
    show((d = cosh(-0.0), d));
    show((d = cosh(INFINITY), d));
    show((d = cosh(-INFINITY), d));
    show((d = cosh(y), d));
    show((d = cosh(1.0), d));
    show((d = cosh(-1.0), d));
    show((d = cosh(800.0), d));
    return 0;
}
