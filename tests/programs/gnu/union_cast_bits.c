// A cast to a union with bit-fields: the member of the very type counts, and the type of a narrow
// bit-field is its own.
#include <stdio.h>

union u { int b : 5; int i; long long l; };
union v { int b : 5; long long l; };
union w { unsigned full : 32; short s; };
struct s { int q : 5; unsigned r : 7; } s = {-3, 100};

int main(void) {
    union u x = (union u)300;
    printf("%d\n", x.i);
    union v y = (union v)s.q;
    printf("%d\n", y.b);
    y = (union v)5ll;
    printf("%lld\n", y.l);
    union w z = (union w)7u;
    printf("%u\n", z.full);
    return 0;
}
