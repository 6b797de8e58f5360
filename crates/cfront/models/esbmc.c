// What harnesses for ESBMC call besides the functions that lowering knows and those that are the same as
// CBMC's (cprover.c). Primitives without a model are refused.

//@ __ESBMC_unreachable
void __ESBMC_unreachable(void) {
    __cairn_assert_fail("unreachable code", "", 0, "__ESBMC_unreachable");
}

//@ __ESBMC_get_object_size
size_t __ESBMC_get_object_size(const void *p) {
    return __cairn_object_size(p);
}

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
