// The greatest common divisor divides both: the loop ends too early.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(a != 0 && b != 0 && a < 64 && b < 64);
    unsigned char x = a, y = b;
    while (y > 1) {
        unsigned char t = x % y;
        x = y;
        y = t;
    }
    if (a % x != 0 || b % x != 0) reach_error();
    return 0;
}
