// Folding and counting give the same parity.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned v = x;
    v ^= v >> 16;
    v ^= v >> 8;
    v ^= v >> 4;
    v = 0x6996u >> (v & 15) & 1;
    unsigned odd = 0;
    for (int i = 0; i < 32; i++) odd ^= x >> i & 1;
    if (v != odd) reach_error();
    return 0;
}
