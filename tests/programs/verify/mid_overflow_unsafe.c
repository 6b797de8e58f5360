// The sum of two indices overflows.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int lo = __VERIFIER_nondet_int(), hi = __VERIFIER_nondet_int();
    if (lo < 0 || hi < lo) return 0;
    int mid = (lo + hi) / 2;
    if (mid < lo || mid > hi) reach_error();
    return 0;
}
