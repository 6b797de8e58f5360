// A loop without bound, with a branch in it that is dead for a reason that takes induction, and a reader
// that ends on one value only.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0, even = 0;
    while (i < n) {
        even += 2;
        i++;
        if (even & 1)
            return 1;
    }
    if (__VERIFIER_nondet_uint() == 77777)
        return 2;
    return 0;
}
