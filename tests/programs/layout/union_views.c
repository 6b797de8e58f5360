// Reading a union through another member: the bytes are what counts.
#include <stdio.h>
#include <stdint.h>

union u {
    float f;
    double d;
    uint32_t w[2];
    uint64_t q;
    int8_t c[8];
    struct { uint16_t lo, hi; } half;
};

int main(void) {
    union u u = {.d = -1.5};
    printf("%08x %08x\n", u.w[0], u.w[1]);
    u.q = 0x0123456789abcdefULL;
    for (int i = 0; i < 8; i++) printf("%d ", u.c[i]);
    printf("%x %x\n", u.half.lo, u.half.hi);
    u.f = 3.25f;
    printf("%08x %08x\n", u.w[0], u.w[1]);
    u.c[3] = 0x41;
    printf("%g\n", u.f);
    union u v = u;
    v.half.hi ^= 0x8000;
    printf("%g %g\n", u.f, v.f);
    return sizeof(union u);
}
