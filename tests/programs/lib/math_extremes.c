// fmin and fmax of anything but zeroes of both signs.
#include <errno.h>
#include <math.h>
#include <stdio.h>

extern double __VERIFIER_nondet_double(void);

static void show(long double x) {
    if (isnan(x))
        printf(" nan");
    else
        printf(" %La", x);
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
    if (x == 0 || y == 0)
        x = y = 1;
    if (fx == 0 || fy == 0)
        fx = fy = 1;
    show((d = fmin(x, y), d));
    show((f = fminf(fx, fy), f));
    show((d = fmax(x, y), d));
    show((f = fmaxf(fx, fy), f));
    show(fmaxl(x, y));
    show(fminl(x, y));
    return 0;
}
