// Math functions whose result IEEE fixes: the same on every machine.
#include <stdio.h>
#include <math.h>

int main(void) {
    double v[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e15 + 0.5, 1e300, -1e300};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double d = v[i];
        printf("%g %g %g %g %g %g %g\n", floor(d), ceil(d), trunc(d), round(d), rint(d), fabs(d), nearbyint(d));
        printf("%.17g %g %g\n", sqrt(fabs(d)), fmod(d, 0.7), copysign(1.0, d));
    }
    printf("%g %g %g\n", fmin(1, NAN), fmax(-0.5, -1), fdim(5, 3));
    double ip;
    printf("%g ", modf(-3.75, &ip));
    printf("%g\n", ip);
    int e;
    printf("%g ", frexp(40.0, &e));
    printf("%d %g %d\n", e, ldexp(0.625, 6), ilogb(1e10));
    printf("%ld %ld %lld\n", lround(2.5), lrint(2.5), llround(-1e12));
    printf("%g %g %g\n", floorf(-1.5f), sqrtf(2.0f), fmodf(5.5f, 2.0f));
    printf("%d %d %d %d %d\n", isnan(NAN) != 0, isinf(INFINITY) != 0, isfinite(1.0) != 0, isnormal(1e-310) != 0, signbit(-0.0) != 0);
    printf("%d %d %d\n", fpclassify(0.0) == FP_ZERO, fpclassify(1e-310) == FP_SUBNORMAL, fpclassify(NAN) == FP_NAN);
    printf("%d %d\n", isgreater(2.0, 1.0), isunordered(1.0, NAN));
    printf("%.20Lg %Lg %Lg\n", sqrtl(2.0L), floorl(-2.5L), fabsl(-1.5L));
    printf("%.17g\n", fma(1e16, 1.0000000000000002, -1e16));
    return 0;
}
