// The middle of two indices, computed so that it cannot overflow.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int lo = __VERIFIER_nondet_int(), hi = __VERIFIER_nondet_int();
    if (lo < 0 || hi < lo) return 0;
    int mid = lo + (hi - lo) / 2;
    if (mid < lo || mid > hi) reach_error();
    return 0;
}
