// Types of integer and floating literals by suffix, base and size.
#include <stdio.h>

#define T(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", \
    long long: "long long", unsigned long long: "unsigned long long", float: "float", double: "double", \
    long double: "long double", char: "char", default: "other")

int main(void) {
    printf("%s %s %s\n", T(2147483647), T(2147483648), T(0x7fffffff));
    printf("%s %s %s\n", T(0x80000000), T(0xffffffff), T(0x100000000));
    printf("%s %s %s\n", T(9223372036854775807), T(0x8000000000000000), T(037777777777));
    printf("%s %s %s %s %s\n", T(1u), T(1l), T(1ul), T(1ll), T(1llu));
    printf("%s %s %s %s\n", T(4294967295u), T(4294967296u), T('a'), T(0b101));
    printf("%s %s %s %s\n", T(1.0), T(1.f), T(1.0L), T(0x1p3));
    printf("%d %d %g %g\n", 0b1101, 0777, 0x1.8p1, 1e-3);
    printf("%s %s\n", T(sizeof 1), T((char)1 + (char)1));
    printf("%s %s %s\n", T(1 ? 1 : 1u), T((short)1), T(-2147483648));
    printf("%g %g %g\n", .5, 5., 1.5e+3);
    return 0;
}
