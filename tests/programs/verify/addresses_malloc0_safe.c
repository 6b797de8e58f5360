// Blocks of no bytes are two, if malloc gives any.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(__SIZE_TYPE__);

int main(void) {
    char *p = malloc(0), *q = malloc(0);
    if (p && p == q)
        reach_error();
    return __VERIFIER_nondet_int() & 1;
}
