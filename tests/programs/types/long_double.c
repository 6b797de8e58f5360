// long double: 64 bits of mantissa, arithmetic, conversions, arrays, passing and printing.
#include <stdio.h>
#include <float.h>

static long double poly(long double x) { return (x * x - 3.0L) * x + 0.125L; }
struct s { char c; long double v[2]; };

int main(void) {
    long double a = 1.0L / 3, b = 0.1L;
    printf("%.21Lg %.21Lg\n", a, b);
    printf("%.21Lg\n", poly(1.7L));
    printf("%d %d\n", (long double)0.1 == 0.1L, (double)a == 1.0 / 3);
    printf("%d\n", LDBL_MANT_DIG);
    long double s = 0;
    for (int i = 1; i <= 1000; i++) s += 1.0L / i;
    printf("%.20Lg\n", s);
    printf("%lld %llu\n", (long long)-9223372036854775807.0L, (unsigned long long)18446744073709551615.0L);
    printf("%.20Lg\n", (long double)18446744073709551615ULL + 1);
    struct s x = {1, {a, b}};
    struct s y = x;
    printf("%.10Lf %zu %d\n", y.v[1] - y.v[0], sizeof x, y.v[0] == a);
    printf("%d %d %d\n", a < b, -a < b, a != a);
    printf("%.6f %.6f\n", (double)(a * 3 - 1), (float)b);
    a = LDBL_MAX;
    printf("%d\n", a * 2 > LDBL_MAX);
    printf("%La\n", 1.5L);
    return (int)(b * 50);
}
