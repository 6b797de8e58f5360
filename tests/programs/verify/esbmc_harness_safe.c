// Primitives of ESBMC with a plain meaning.
int __ESBMC_nondet_int(void);
double __ESBMC_nondet_double(void);

int main(void) {
    int n = __ESBMC_nondet_int();
    double d = __ESBMC_nondet_double();
    __ESBMC_assume(n > -100 && n < 100);
    __ESBMC_atomic_begin();
    int m = __ESBMC_abs(n);
    __ESBMC_atomic_end();
    __ESBMC_assert(m >= 0 && m < 100, "the absolute value");
    if (__ESBMC_isnand(d))
        __ESBMC_assert(!__ESBMC_isfinite(d), "a NaN is not finite");
    return 0;
}
