// The bytes of a pointer are copied into a number.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);

int x;

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int *p = &x;
    __SIZE_TYPE__ v;
    memcpy(&v, &p, sizeof v);
    if (v % 3 == 1)
        reach_error();
    return 0;
}
