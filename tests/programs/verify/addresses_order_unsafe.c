// Which of two objects comes first is not known.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[4], b[4];

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int *p = a, *q = b;
    if (q < p)
        reach_error();
    return 0;
}
