// A distance within an object is no address.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 9)
        return 0;
    int a[10], *p = a + i;
    if (p - a != i || (char *)p - (char *)a != 4 * i || p < a || p > a + 10)
        reach_error();
    return 0;
}
