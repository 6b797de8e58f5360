// One past the end of an object may be the start of another.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[4], b[4];

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int *end = a + 4;
    if (end == b)
        reach_error();
    return 0;
}
