// pow: the values of the library, special values, errors.
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
    double v[] = {0.0, -0.0, 1.0, -1.0, 2.5, -3.0, INFINITY, -INFINITY, NAN, 1e300};
    for (n = 0; n < 10; n++)
        for (int m = 0; m < 10; m++)
            show((d = pow(v[n], v[m]), d));
    show((d = pow(x, y), d));
    show((f = powf(fx, fy), f));
    show((d = pow(y, x), d));
    return 0;
}
