// A variable of a loop's body may lie elsewhere in every turn.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int *old = 0;
    for (int i = 0; i < n; i++) {
        int v = i;
        int *p = &v;
        if (old && p != old)
            reach_error();
        old = p;
    }
    return 0;
}
