// What harnesses for ESBMC call besides the functions that lowering knows and those that are the same as
// CBMC's (cprover.c). Primitives without a model are refused.

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
