// The blocks of two turns of a loop come from one place of the program, and lie in any order.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(__SIZE_TYPE__);

int main(void) {
    int n = __VERIFIER_nondet_int();
    char *before = 0;
    for (int i = 0; i < n; i++) {
        char *p = malloc(8);
        if (before && before < p)
            reach_error();
        before = p;
    }
    return 0;
}
