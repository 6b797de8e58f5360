// Within one array a difference is the same wherever the array lies.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[8];

int main(void) {
    int i = __VERIFIER_nondet_int() & 7;
    int *p = a + i, *end = a + 8;
    if (end - p != 8 - i)
        reach_error();
    return 0;
}
