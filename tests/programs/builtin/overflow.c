// The checked arithmetic builtins for every mix of types.
#include <stdio.h>
#include <limits.h>

int main(void) {
    int i;
    unsigned u;
    long long l;
    unsigned char c;
    signed char sc;
    int o;
    o = __builtin_add_overflow(INT_MAX, 1, &i);
    printf("%d %d\n", o, i);
    o = __builtin_add_overflow(INT_MAX, 1, &l);
    printf("%d %lld\n", o, l);
    o = __builtin_sub_overflow(3u, 5u, &u);
    printf("%d %u\n", o, u);
    o = __builtin_sub_overflow(3, 5, &u);
    printf("%d %u\n", o, u);
    o = __builtin_sub_overflow(3u, 5u, &i);
    printf("%d %d\n", o, i);
    o = __builtin_mul_overflow(65536, 65536, &i);
    printf("%d %d\n", o, i);
    o = __builtin_mul_overflow(65536, 65536, &l);
    printf("%d %lld\n", o, l);
    o = __builtin_mul_overflow(LLONG_MAX, -1, &l);
    printf("%d %lld\n", o, l);
    o = __builtin_mul_overflow(LLONG_MIN, -1, &l);
    printf("%d %lld\n", o, l);
    o = __builtin_add_overflow(200, 100, &c);
    printf("%d %d\n", o, c);
    o = __builtin_add_overflow(-100, -100, &sc);
    printf("%d %d\n", o, sc);
    o = __builtin_add_overflow(ULLONG_MAX, -1, &l);
    printf("%d %lld\n", o, l);
    o = __builtin_sadd_overflow(1, 2, &i);
    printf("%d %d\n", o, i);
    o = __builtin_umul_overflow(0x10000u, 0x10000u, &u);
    printf("%d %u\n", o, u);
    o = __builtin_ssubll_overflow(LLONG_MIN, 1, &l);
    printf("%d %lld\n", o, l);
    printf("%d %d\n", __builtin_add_overflow_p(INT_MAX, 1, (int)0), __builtin_mul_overflow_p(3, 4, (signed char)0));
    return 0;
}
