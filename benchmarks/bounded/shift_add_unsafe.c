// Multiplication by shifts and sums: one product is denied.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(x < 128 && y < 128);
    unsigned product = 0;
    for (unsigned a = x, b = y; b != 0; b >>= 1, a <<= 1)
        if (b & 1) product += a;
    if (product != x * y || product == 113 * 101) reach_error();
    return 0;
}
