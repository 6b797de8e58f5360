// What harnesses for ESBMC call besides the functions that lowering knows. Primitives without a model
// are refused.

//@ __ESBMC_atomic_begin
// There is only one thread.
void __ESBMC_atomic_begin(void) {}

//@ __ESBMC_atomic_end
void __ESBMC_atomic_end(void) {}

//@ __ESBMC_yield
void __ESBMC_yield(void) {}

//@ __ESBMC_unreachable
void __ESBMC_unreachable(void) {
    __cairn_assert_fail("unreachable code", "", 0, "__ESBMC_unreachable");
}

//@ __ESBMC_get_object_size
// Of all of the object, wherever in it the pointer leads.
char *__cairn_base(const void *p);
size_t __ESBMC_get_object_size(const void *p) {
    return __cairn_object_size(__cairn_base(p));
}

//@ __ESBMC_r_ok
// As CBMC's; no bytes can be read anywhere.
int __CPROVER_r_ok(const void *p, size_t n);
int __ESBMC_r_ok(const void *p, size_t n) {
    return n == 0 || __CPROVER_r_ok(p, n);
}
//@= __ESBMC_r_ok __ESBMC_w_ok __ESBMC_rw_ok

//@ __ESBMC_abs
int __ESBMC_abs(int x) {
    return __builtin_abs(x);
}

//@ __ESBMC_labs
long __ESBMC_labs(long x) {
    return __builtin_labs(x);
}

//@ __ESBMC_llabs
long long __ESBMC_llabs(long long x) {
    return __builtin_llabs(x);
}

//@ __ESBMC_fabsf
float __ESBMC_fabsf(float x) {
    return __builtin_fabsf(x);
}

//@ __ESBMC_fabs
double __ESBMC_fabs(double x) {
    return __builtin_fabs(x);
}

//@ __ESBMC_fabsl
long double __ESBMC_fabsl(long double x) {
    return __builtin_fabsl(x);
}

//@ __ESBMC_isnanf
int __ESBMC_isnanf(float x) {
    return __builtin_isnan(x);
}

//@ __ESBMC_isnand
int __ESBMC_isnand(double x) {
    return __builtin_isnan(x);
}

//@ __ESBMC_isnanld
int __ESBMC_isnanld(long double x) {
    return __builtin_isnan(x);
}

//@ __ESBMC_isinff
int __ESBMC_isinff(float x) {
    return __builtin_isinf(x) != 0;
}

//@ __ESBMC_isinfd
int __ESBMC_isinfd(double x) {
    return __builtin_isinf(x) != 0;
}

//@ __ESBMC_isinfld
int __ESBMC_isinfld(long double x) {
    return __builtin_isinf(x) != 0;
}

//@ __ESBMC_isfinitef
int __ESBMC_isfinitef(float x) {
    return __builtin_isfinite(x);
}

//@ __ESBMC_isfinited
int __ESBMC_isfinited(double x) {
    return __builtin_isfinite(x);
}

//@ __ESBMC_isfiniteld
int __ESBMC_isfiniteld(long double x) {
    return __builtin_isfinite(x);
}

//@ __ESBMC_isnormalf
int __ESBMC_isnormalf(float x) {
    return __builtin_isnormal(x);
}

//@ __ESBMC_isnormald
int __ESBMC_isnormald(double x) {
    return __builtin_isnormal(x);
}

//@ __ESBMC_isnormalld
int __ESBMC_isnormalld(long double x) {
    return __builtin_isnormal(x);
}

//@ __ESBMC_signf
int __ESBMC_signf(float x) {
    return __builtin_signbit(x) != 0;
}

//@ __ESBMC_signd
int __ESBMC_signd(double x) {
    return __builtin_signbit(x) != 0;
}

//@ __ESBMC_signld
int __ESBMC_signld(long double x) {
    return __builtin_signbit(x) != 0;
}
