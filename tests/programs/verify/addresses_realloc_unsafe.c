// A block that grows may stay where it is.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(__SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    char *p = malloc(16);
    if (!p)
        return 0;
    p[0] = 5;
    char *q = realloc(p, 20);
    if (q && q == p)
        reach_error();
    return 0;
}
