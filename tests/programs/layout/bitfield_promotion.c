// A bit-field narrower than int promotes to int; the wider ones keep their own width.
#include <stdio.h>

struct s {
    unsigned a : 31;
    unsigned b : 32;
    unsigned long long c : 33;
    long long d : 33;
};

int main(void) {
    struct s s = {0, 0, 0, 0};
    printf("%d\n", s.a - 1 < 0);
    printf("%d\n", s.b - 1 < 0);
    s.c = 0x1ffffffffULL;
    s.d = -1;
    printf("%d\n", s.c == 0x1ffffffffULL);
    printf("%d\n", s.d == -1);
    printf("%llu\n", (unsigned long long)(s.c + 1));
    printf("%llu\n", (unsigned long long)(s.c << 1));
    return 0;
}
