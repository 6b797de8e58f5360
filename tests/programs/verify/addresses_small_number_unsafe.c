// A number that no object has here may well be the address of one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x;

int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    if (n > 10000000)
        return 0;
    if ((int *)(__SIZE_TYPE__)n == &x)
        reach_error();
    return 0;
}
