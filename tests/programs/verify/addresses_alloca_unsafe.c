// What alloca gives ends with the function, and the next call gets the same memory.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static char *get(void) {
    char *p = __builtin_alloca(16);
    p[0] = 1;
    return p;
}

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    char *p = get(), *q = get();
    if (p == q)
        reach_error();
    return 0;
}
