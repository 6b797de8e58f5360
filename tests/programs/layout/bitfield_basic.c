// Bit-fields of every kind of base type: storing wraps, reading extends by the sign.
#include <stdio.h>

struct flags {
    int a : 3;
    unsigned b : 5;
    signed char c : 4;
    unsigned short d : 9;
    long long e : 40;
    _Bool f : 1;
    unsigned long long g : 33;
};

int main(void) {
    struct flags x = {0};
    for (int i = -10; i < 40; i += 7) {
        x.a = i;
        x.b = i;
        x.c = i * 3;
        x.d = i * 1000;
        x.e = (long long)i << 36;
        x.f = i & 2;
        x.g = (unsigned long long)i * 123456789123ULL;
        printf("%d %u %d %u %lld %d %llu\n", x.a, (unsigned)x.b, x.c, (unsigned)x.d, (long long)x.e, x.f,
               (unsigned long long)x.g);
    }
    printf("%zu\n", sizeof x);
    return 0;
}
