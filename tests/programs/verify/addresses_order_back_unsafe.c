// Which of two objects comes first is not known, read the other way.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[4], b[4];

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int *p = a, *q = b;
    if (p <= q)
        reach_error();
    return 0;
}
