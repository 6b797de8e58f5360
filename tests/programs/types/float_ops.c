// Float and double arithmetic: rounding in each precision, conversions, special values.
#include <stdio.h>
#include <math.h>
#include <float.h>

int main(void) {
    float f = 0.1f, g = 0.2f;
    double d = 0.1, e = 0.2;
    printf("%.9g %.17g %d %d\n", f + g, d + e, f + g == 0.3f, d + e == 0.3);
    printf("%.9g %.17g\n", f * 3, d * 3);
    printf("%.9g %.17g\n", 1 / 3.0f, 1 / 3.0);
    float acc = 0;
    for (int i = 0; i < 100000; i++) acc += 0.1f;
    printf("%.9g\n", acc);
    printf("%g %g %g\n", FLT_MAX * 2, DBL_MAX * -2, DBL_MIN / 4);
    printf("%a %a\n", DBL_MIN / 8, FLT_MIN / 2);
    printf("%g %g %d\n", 0.0 / -1, -0.0 + 0.0, signbit(-0.0) != 0);
    printf("%d %d %d\n", isnan(0.0 / 0.0) != 0, isinf(1 / 0.0) != 0, (0.0 / 0.0) == (0.0 / 0.0));
    printf("%.9g %.17g\n", (float)d, (double)f);
    printf("%d %d %d\n", (int)-1.9, (int)1.9f, (unsigned char)200.7);
    printf("%.9g %.9g\n", (float)16777217, (float)123456789);
    printf("%.17g %.17g\n", (double)9007199254740993LL, (double)0xffffffffffffffffULL);
    printf("%.9g %.9g\n", (float)0xffffffffffffffffULL, (float)-9223372036854775807LL);
    f += d;
    printf("%.9g\n", f);
    f = 1e30;
    f *= 1e10;
    printf("%g\n", f);
    printf("%.17g %.17g\n", 1e23, 123456789.123456789);
    printf("%d\n", 0.1f == 0.1);
    d++;
    --e;
    printf("%.17g %.17g\n", d, e);
    return 0;
}
