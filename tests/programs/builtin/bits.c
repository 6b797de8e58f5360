// Bit counting builtins in all widths, byte swaps, parity.
#include <stdio.h>

int main(void) {
    unsigned v[] = {1, 2, 3, 0x80000000u, 0xffffffffu, 0x00f0f000u, 12345678};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        unsigned x = v[i];
        unsigned long long y = (unsigned long long)x << 21 | x;
        printf("%d %d %d %d %d | ", __builtin_clz(x), __builtin_ctz(x), __builtin_popcount(x), __builtin_parity(x), __builtin_ffs((int)x));
        printf("%d %d %d %d %d | ", __builtin_clzll(y), __builtin_ctzll(y), __builtin_popcountll(y), __builtin_parityll(y), __builtin_ffsll((long long)y));
        printf("%d %d %d | ", __builtin_clzl(x), __builtin_ctzl(x), __builtin_popcountl(x));
        printf("%x %llx %x %d %d\n", __builtin_bswap32(x), (unsigned long long)__builtin_bswap64(y), __builtin_bswap16((unsigned short)x), __builtin_clrsb((int)x), __builtin_clrsbll((long long)y));
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    return 0;
}
