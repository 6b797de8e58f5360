// The greatest common divisor divides both numbers.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned gcd(unsigned a, unsigned b) {
    while (b != 0) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a == 0 || b == 0) return 0;
    unsigned g = gcd(a, b);
    if (a % g != 0 || b % g != 0 || g == 91) reach_error();
    return 0;
}
