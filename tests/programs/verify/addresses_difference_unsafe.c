// The difference of pointers into two arrays is whatever lies between them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[4], b[4];

int main(void) {
    int *p = a, *q = b;
    if (__VERIFIER_nondet_int() && p - q == 4)
        reach_error();
    return 0;
}
