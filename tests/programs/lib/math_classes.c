// Classification.
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
    errno = 0;
    printf(" %d%d%d%d%d", isnan(x) != 0, isinf(x) != 0, isfinite(x) != 0, isnormal(x) != 0, signbit(x) != 0);
    printf(" %d", fpclassify(x));
    printf(" %d%d%d%d%d%d", isgreater(x, y) != 0, isgreaterequal(x, y) != 0, isless(x, y) != 0, islessequal(x, y) != 0, islessgreater(x, y) != 0, isunordered(x, y) != 0);
    printf(" %d%d%d%d%d", isnan(fx) != 0, isinf(fx) != 0, isfinite(fx) != 0, isnormal(fx) != 0, signbit(fx) != 0);
    printf(" %d", fpclassify(fx));
    printf(" %d%d%d%d%d%d", isgreater(fx, fy) != 0, isgreaterequal(fx, fy) != 0, isless(fx, fy) != 0, islessequal(fx, fy) != 0, islessgreater(fx, fy) != 0, isunordered(fx, fy) != 0);
    printf(" %d%d%d%d%d", isnan(lx) != 0, isinf(lx) != 0, isfinite(lx) != 0, isnormal(lx) != 0, signbit(lx) != 0);
    printf(" %d", fpclassify(lx));
    printf(" %d%d%d%d%d%d", isgreater(lx, ly) != 0, isgreaterequal(lx, ly) != 0, isless(lx, ly) != 0, islessequal(lx, ly) != 0, islessgreater(lx, ly) != 0, isunordered(lx, ly) != 0);
    return 0;
}
