// __int128: arithmetic, shifts, conversion to and from floats, passing, in structs.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(u128 v) { printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }
static i128 mul(i128 a, i128 b) { return a * b; }
struct s { char c; i128 v; };

int main(void) {
    u128 x = ((u128)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL;
    show(x);
    show(x * x);
    show(x / 12345678901234567ULL);
    show(x % 12345678901234567ULL);
    show(x << 17 ^ x >> 90);
    i128 n = -(i128)x;
    show(n);
    show(n >> 64);
    show(n / 1000);
    show(n % 1000);
    show(mul(-5, (i128)1 << 100));
    printf("%d %d %d\n", n < 0, n < (i128)x, (u128)n > x);
    double d = (double)x;
    printf("%.10e %d\n", d, (i128)-2.75 == -2);
    show((u128)1e30);
    struct s s = {1, n};
    printf("%zu %zu\n", sizeof s, _Alignof(i128));
    show(s.v);
    show(x + 0xffffffffffffffffULL);
    show(-x);
    show(~x);
    x++;
    show(x);
    u128 f = 1;
    for (int i = 1; i < 34; i++) f *= i;
    show(f);
    return (int)(x & 0x7f);
}
