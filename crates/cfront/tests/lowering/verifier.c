// What verification tasks say to the verifier.
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char *__VERIFIER_nondet_pchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void __VERIFIER_error(void);
void __VERIFIER_assert(int cond) {
    if (!cond) {
    ERROR:
        __VERIFIER_error();
    }
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    _Bool b = __VERIFIER_nondet_bool();
    char *p = __VERIFIER_nondet_pchar();
    __VERIFIER_assume(x > 0 && b);
    __CPROVER_assert(x < 10, "small");
    __VERIFIER_assert(p != 0);
    if (x == 5)
        reach_error();
}
