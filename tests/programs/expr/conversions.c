// Usual arithmetic conversions at the boundaries between signed and unsigned types.
#include <stdio.h>

int main(void) {
    signed char sc = -1;
    unsigned char uc = 255;
    short ss = -32768;
    unsigned short us = 65535;
    int i = -1;
    unsigned u = 1;
    long l = -1;
    long long ll = -1;
    unsigned long ul = 1;
    printf("%d %d %d %d\n", sc == uc, sc < uc, i < u, l < u);
    printf("%d %d %d\n", ll < u, i < ul, us > ss);
    printf("%d %u %d\n", us * us, us * us, uc + uc);
    printf("%d %d\n", (signed char)200, (unsigned char)-1);
    printf("%d %d\n", (short)70000, (unsigned short)-70000);
    printf("%lld %llu\n", (long long)u - 2, (unsigned long long)i);
    printf("%d %d\n", ~uc, -uc);
    printf("%d %d\n", uc << 24 < 0, (uc << 8) >> 8);
    printf("%u %d\n", u - 2, (u - 2) / 2 > 0);
    printf("%d\n", -1 > 0u);
    printf("%d\n", -1 / 2u > 5);
    printf("%d %d\n", ss / -1, (short)(ss / -1));
    printf("%lld\n", 0x80000000 + 0LL);
    printf("%lld %lld\n", (long long)0x7fffffff + 1, (long long)(int)0x80000000);
    printf("%d\n", sizeof(1 ? 'a' : 1LL) == 8);
    printf("%lld\n", (long long)(1 ? -1 : 1u));
    char c = 'x';
    c += 200;
    c *= 3;
    printf("%d\n", c);
    return 0;
}
