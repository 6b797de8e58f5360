// Conversions between floats and every integer type, in range.
#include <stdio.h>

int main(void) {
    double v[] = {0.0, -0.0, 0.99, -0.99, 1.5, -1.5, 127.9, -128.9, 255.5, 32767.5, 65535.9, 2147483647.0,
                  -2147483648.0, 4294967295.5, 9007199254740991.0, -9007199254740993.0, 4611686018427387904.0};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double d = v[i];
        if (d > -129 && d < 128) printf("%d ", (signed char)d);
        if (d > -1 && d < 256) printf("%d ", (unsigned char)d);
        if (d > -32769 && d < 32768) printf("%d ", (short)d);
        if (d > -2147483649.0 && d < 2147483648.0) printf("%d ", (int)d);
        if (d > -1 && d < 4294967296.0) printf("%u ", (unsigned)d);
        if (d > -1) printf("%llu ", (unsigned long long)d);
        printf("%lld %lld\n", (long long)d, (long long)(float)d);
    }
    unsigned long long big = 18446744073709549568ULL;
    printf("%llu %.1f\n", (unsigned long long)(double)big, (double)big);
    unsigned u = 4000000000u;
    printf("%.1f %.1f %u\n", (double)u, (float)u, (unsigned)(float)u);
    return 0;
}
