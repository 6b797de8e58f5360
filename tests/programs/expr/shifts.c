// Shifts of every width by every defined amount; right shift of negatives is arithmetic.
#include <stdio.h>

int main(void) {
    int i = -0x12345678;
    unsigned u = 0x89abcdef;
    long long ll = -0x123456789abcdefLL;
    unsigned long long ull = 0xfedcba9876543210ULL;
    unsigned h = 0;
    for (int n = 0; n < 32; n++) {
        h = h * 31 + (unsigned)(i >> n) + (u >> n) + (u << n) + (unsigned)(i << n);
    }
    printf("%08x\n", h);
    unsigned long long H = 0;
    for (int n = 0; n < 64; n++) {
        H = H * 31 + (unsigned long long)(ll >> n) + (ull >> n) + (ull << n) + ((unsigned long long)ll << n);
    }
    printf("%016llx\n", H);
    unsigned char c = 0x81;
    signed char s = -0x7f;
    printf("%d %d %d %d\n", c << 1, c >> 1, s >> 1, s << 1);
    c <<= 1;
    s >>= 2;
    printf("%d %d\n", c, s);
    printf("%lld %d\n", 1LL << 40, 1 << 31 < 0);
    unsigned char count = 3;
    printf("%d %ld\n", 5 << count, -5L >> count);
    return 0;
}
