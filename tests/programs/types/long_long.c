// 64-bit arithmetic in both data models, with constants and mixed widths.
#include <stdio.h>
#include <stdint.h>

static uint64_t mix(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

static int64_t power(int64_t b, unsigned e) {
    int64_t r = 1;
    while (e) {
        if (e & 1) r *= b;
        b *= b;
        e >>= 1;
    }
    return r;
}

int main(void) {
    uint64_t h = 1;
    for (int i = 0; i < 100; i++) h = mix(h + i);
    printf("%016llx\n", (unsigned long long)h);
    printf("%lld %lld\n", (long long)power(3, 39), (long long)power(-7, 21));
    printf("%lld %llu\n", (long long)h / 1000003, (unsigned long long)h % 1000003);
    int64_t s = -1;
    printf("%lld %llu %d\n", (long long)(s >> 63), (unsigned long long)(uint64_t)s >> 60, s < 0);
    printf("%d %d\n", (int)h, (int)(h >> 32));
    long long d = 5000000000;
    int i = d;
    unsigned u = d;
    printf("%d %u %lld\n", i, u, d - i);
    printf("%d\n", d > 4294967295);
    return 0;
}
