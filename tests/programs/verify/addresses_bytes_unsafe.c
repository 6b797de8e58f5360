// The bytes of a pointer, through a union.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x;

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    union {
        int *p;
        unsigned char c[sizeof(int *)];
    } u;
    u.p = &x;
    if (u.c[1] == 0x42)
        reach_error();
    return 0;
}
