// Pointers into one object have an order, whichever load has given them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[2];
int *table[2] = {&a[0], &a[1]};

int main(void) {
    int *p = table[0], *q = table[1];
    if (__VERIFIER_nondet_int() && q < p)
        reach_error();
    return 0;
}
