// Null and the usual mark of failure are nobody's addresses.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int x, *p = &x;
    if (p == (int *)-1 || p == 0)
        reach_error();
    return 0;
}
