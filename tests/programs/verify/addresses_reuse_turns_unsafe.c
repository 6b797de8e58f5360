// What was freed in the last turn of a loop is given again.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(__SIZE_TYPE__);
extern void free(void *);

int main(void) {
    int n = __VERIFIER_nondet_int();
    char *old = 0;
    for (int i = 0; i < n; i++) {
        char *p = malloc(16);
        if (old && p == old)
            reach_error();
        old = p;
        free(p);
    }
    return 0;
}
