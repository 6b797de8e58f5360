// Any other number that suits the alignment may be an address.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int x, *p = &x;
    if (p == (int *)0x12340)
        reach_error();
    return 0;
}
