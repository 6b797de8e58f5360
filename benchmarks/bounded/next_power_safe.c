// The next power of two is one, and not below.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x != 0 && x <= 0x80000000u);
    unsigned v = x - 1;
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    v++;
    unsigned p = 1;
    while (p < x) p <<= 1;
    if (v != p) reach_error();
    return 0;
}
