// The old error function.
extern int __VERIFIER_nondet_int(void);

extern void __VERIFIER_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    long long y = (long long)x * x;
    if (y <= 0) __VERIFIER_error();
    return 0;
}
