// As addresses_difference_unsafe.c, the other way round.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[4], b[4];

int main(void) {
    int *p = a, *q = b;
    if (__VERIFIER_nondet_int() && q - p == 4)
        reach_error();
    return 0;
}
