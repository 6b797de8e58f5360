// Products of fixed-point numbers are off by less than a unit.
extern short __VERIFIER_nondet_short(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
    __VERIFIER_assume(a >= -1024 && a < 1024 && b >= -1024 && b < 1024);
    int exact = a * b;
    int rounded = (exact + 128) >> 8;
    int error = rounded * 256 - exact;
    if (error > 128 || error < -127) reach_error();
    return 0;
}
