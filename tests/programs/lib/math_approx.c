// Other math functions, printed to few enough digits that every libm agrees.
#include <stdio.h>
#include <math.h>

int main(void) {
    for (double x = 0.25; x < 4; x += 0.75) {
        printf("%.10f %.10f %.10f %.10f %.10f\n", sin(x), cos(x), tan(x), atan(x), atan2(x, 2));
        printf("%.10f %.10f %.10f %.10f %.10f\n", exp(x), log(x), log10(x), log2(x), pow(x, 2.5));
        printf("%.10f %.10f %.10f %.10f\n", sinh(x), cosh(x), tanh(x), cbrt(x));
        printf("%.8f %.8f %.8f\n", hypot(x, 1), exp2(x), expm1(x));
    }
    printf("%.10f %.10f\n", asin(0.5), acos(0.5));
    printf("%.5f %.5f %.5f\n", sinf(1.0f), powf(2.0f, 0.5f), expf(1.0f));
    printf("%g %g %g %g\n", pow(2, 10), pow(0, 0), pow(-8, 3), pow(2, -1));
    printf("%d %d\n", isnan(sqrt(-1.0)) != 0, isinf(log(0.0)) != 0);
    return 0;
}
