// Two objects are ordered one way or the other.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[4], b[4];

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int *p = a, *q = b;
    if ((p < q) == (q < p))
        reach_error();
    if (p < q && !(p + 4 <= q))
        reach_error();
    return 0;
}
