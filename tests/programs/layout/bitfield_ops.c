// Compound assignment, increment and the value of assignments on bit-fields.
#include <stdio.h>

struct s {
    signed a : 4;
    unsigned b : 4;
    unsigned c : 31;
    unsigned long long d : 35;
};

int main(void) {
    struct s s = {7, 15, 0x7fffffff, 1ULL << 34};
    printf("%d\n", s.a++);
    printf("%d\n", s.a);
    printf("%d\n", ++s.b);
    printf("%d\n", (s.a += 20));
    printf("%d\n", (s.b -= 1));
    printf("%u\n", s.c + 1);
    printf("%d\n", (int)(s.c << 1) < 0);
    s.d <<= 1;
    printf("%llu\n", (unsigned long long)s.d);
    s.d--;
    printf("%llu\n", (unsigned long long)s.d);
    printf("%d\n", -s.b < 0);
    printf("%d\n", (s.a = 9, s.a) == 9);
    return s.b & 3;
}
