// Interleaved coordinates are taken apart again.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static unsigned spread(unsigned x) {
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

int main(void) {
    unsigned x = __VERIFIER_nondet_ushort(), y = __VERIFIER_nondet_ushort();
    unsigned code = spread(x) | spread(y) << 1;
    unsigned a = 0, b = 0;
    for (int i = 0; i < 16; i++) {
        a |= (code >> 2 * i & 1) << i;
        b |= (code >> (2 * i + 1) & 1) << i;
    }
    if (a != x || b != y) reach_error();
    return 0;
}
