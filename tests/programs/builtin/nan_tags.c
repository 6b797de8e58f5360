// The number in the text given to __builtin_nan is the payload; the float predicates of constants are constants.
#include <stdio.h>
#include <string.h>

#define DOUBLE(e)                                                                                                \
    do {                                                                                                         \
        double d = e;                                                                                            \
        unsigned long long bits;                                                                                 \
        memcpy(&bits, &d, 8);                                                                                    \
        printf("%s %llx\n", #e, bits);                                                                           \
    } while (0)
#define FLOAT(e)                                                                                                 \
    do {                                                                                                         \
        float f = e;                                                                                             \
        unsigned bits;                                                                                           \
        memcpy(&bits, &f, 4);                                                                                    \
        printf("%s %x\n", #e, bits);                                                                             \
    } while (0)

_Static_assert(__builtin_isnormal(2.5e-308), "a normal number");
_Static_assert(!__builtin_isnormal(1e-310), "a subnormal number");
_Static_assert(__builtin_isinf_sign(-1.0) == 0, "a finite number");
_Static_assert(__builtin_fpclassify(0, 1, 2, 3, 4, -0.0) == 4, "zero");
_Static_assert(__builtin_fpclassify(0, 1, 2, 3, 4, 1e-310) == 3, "subnormal");
int table[__builtin_isnormal(1.0) + 1];

int main(void) {
    DOUBLE(__builtin_nan(""));
    DOUBLE(__builtin_nan("1"));
    DOUBLE(__builtin_nan("017"));
    DOUBLE(__builtin_nan("0x7fff"));
    DOUBLE(__builtin_nan("0xffffffffffffffff"));
    FLOAT(__builtin_nanf("0x1234567"));
    FLOAT(__builtin_nanf("12"));
    printf("%d\n", (int)sizeof table);
    return 0;
}
