// Division by shifts and differences.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(b != 0);
    unsigned rest = 0, quotient = 0;
    for (int i = 7; i >= 0; i--) {
        rest = rest << 1 | (a >> i & 1);
        quotient <<= 1;
        if (rest >= b) {
            rest -= b;
            quotient |= 1;
        }
    }
    if (quotient != a / b || rest != a % b) reach_error();
    return 0;
}
