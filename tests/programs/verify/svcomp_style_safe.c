// The idiom of verification tasks: an assertion function over reach_error.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

extern void abort(void);
void assume_abort_if_not(int cond) {
    if (!cond) abort();
}
void __VERIFIER_assert(int cond) {
    if (!(cond)) {
    ERROR: { reach_error(); abort(); }
    }
    return;
}

int main() {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 0 && x < 100);
    assume_abort_if_not(y >= x && y < 1000);
    while (x < y) {
        x = x + 1;
        
    }
    __VERIFIER_assert(x == y);
}
