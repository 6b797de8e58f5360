// Division and remainder truncate toward zero, in every width.
#include <stdio.h>
#include <limits.h>

int main(void) {
    int v[] = {7, -7, 3, -3, 1, -1, INT_MAX, INT_MIN + 1, 1000003};
    unsigned h = 0;
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned j = 0; j < 9; j++) {
            int q = v[i] / v[j], r = v[i] % v[j];
            if (q * v[j] + r != v[i]) printf("broken\n");
            h = h * 17 + (unsigned)q * 3 + (unsigned)r;
            h += (unsigned)v[i] / (unsigned)v[j] ^ (unsigned)v[i] % (unsigned)v[j];
        }
    }
    printf("%u\n", h);
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    printf("%lld %lld\n", LLONG_MIN / 10, LLONG_MIN % 10);
    printf("%llu %llu\n", ULLONG_MAX / 10, ULLONG_MAX % 10);
    printf("%ld %ld\n", LONG_MIN / 3, LONG_MIN % 3);
    short s = -32768;
    printf("%d %d\n", s / -1, s % -1);
    signed char c = -128;
    c /= -1;
    printf("%d\n", c);
    return 0;
}
