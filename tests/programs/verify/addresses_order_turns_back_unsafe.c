// As addresses_order_turns_unsafe.c, the other way round.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(__SIZE_TYPE__);

int main(void) {
    int n = __VERIFIER_nondet_int();
    char *before = 0;
    for (int i = 0; i < n; i++) {
        char *p = malloc(8);
        if (before && p < before)
            reach_error();
        before = p;
    }
    return 0;
}
