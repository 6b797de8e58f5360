// Where recursion is proved by a contract, the objects of the arguments are not known.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x, y;

static int visit(int *p, int *q, int n) {
    if (n <= 0)
        return 0;
    if (p > q)
        reach_error();
    return visit(q, p, n - 1);
}

int main(void) {
    return visit(&x, &y, __VERIFIER_nondet_int());
}
