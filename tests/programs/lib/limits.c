// The limits headers under the chosen data model.
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
#include <float.h>

int main(void) {
    printf("%d %d %d %d\n", CHAR_MIN, SCHAR_MAX, UCHAR_MAX, SHRT_MIN);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%llu %lld\n", (unsigned long long)SIZE_MAX, (long long)INTPTR_MIN);
    printf("%d %d %d\n", FLT_DIG, DBL_MANT_DIG, LDBL_MAX_EXP);
    printf("%.17g %.17g\n", DBL_EPSILON, DBL_MAX);
    return 0;
}
