// What one call takes from alloca does not overlap.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = __builtin_alloca(16), *q = __builtin_alloca(16);
    if (__VERIFIER_nondet_int() && p == q)
        reach_error();
    return 0;
}
