// Objects do not overlap: only the end of one may be the start of another.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[4], b[4];

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int *p = a;
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    p += i;
    if (p == b || p == &b[2])
        reach_error();
    return 0;
}
