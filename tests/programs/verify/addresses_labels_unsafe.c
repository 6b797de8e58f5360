// Two labels with nothing between them are one address.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
first:;
second:;
    void *p = &&first, *q = &&second;
    if (p == q)
        reach_error();
    if (__VERIFIER_nondet_int() == 77)
        goto *p;
    return 0;
}
