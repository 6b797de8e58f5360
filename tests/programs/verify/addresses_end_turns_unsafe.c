// The end of one array may be the start of another, in every turn of a loop.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int a[2], b[2];
    int *p = a, *q = b;
    for (int i = 0; i < n; i++) {
        if (p + 2 == q)
            reach_error();
        int *other = p;
        p = q;
        q = other;
    }
    return 0;
}
