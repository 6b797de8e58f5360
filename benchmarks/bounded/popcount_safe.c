// Counting bits in parallel and one by one is the same.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned v = x - (x >> 1 & 0x55555555u);
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    v = v * 0x01010101u >> 24;
    unsigned count = 0;
    for (int i = 0; i < 32; i++) count += x >> i & 1;
    if (v != count) reach_error();
    return 0;
}
