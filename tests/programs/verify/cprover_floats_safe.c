// CBMC's predicates of floats, with and without a suffix.
double nondet_double(void);
float nondet_float(void);

int main(void) {
    double d = nondet_double();
    float f = nondet_float();
    __CPROVER_assume(!__CPROVER_isnan(d) && !__CPROVER_isinfd(d));
    __CPROVER_assert(__CPROVER_isfinite(d), "finite");
    __CPROVER_assert(__CPROVER_isfinited(d), "finite");
    if (__CPROVER_isnormal(f))
        __CPROVER_assert(f != 0 && __CPROVER_isnormald((double)f), "normal");
    if (__CPROVER_sign(d))
        __CPROVER_assert(d <= 0, "negative");
    if (__CPROVER_isinf(f))
        __CPROVER_assert(__CPROVER_isinff(f) && !__CPROVER_isfinitef(f), "infinite");
    return 0;
}
