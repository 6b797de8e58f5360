// What harnesses for CBMC call besides the functions that lowering knows. Primitives without a
// model are refused: they change the state or the meaning of the program.

//@ __CPROVER_allocate
void *__CPROVER_allocate(size_t n, int zeroed) {
    if (n > (size_t)-1 / 2)
        return 0;
    return zeroed ? __cairn_alloc_zeroed(n) : __cairn_alloc(n);
}

//@ __CPROVER_r_ok
// Do the next n bytes belong to one object that is alive? No byte may also be the one behind the end.
int __CPROVER_r_ok(const void *p, size_t n) {
    if (n == 0)
        return __cairn_object_size(p) > 0 || __cairn_object_size((const char *)p - 1) == 1;
    return __cairn_object_size(p) >= n;
}

//@ __CPROVER_w_ok
// As in CBMC, also of what is constant.
int __CPROVER_r_ok(const void *p, size_t n);
int __CPROVER_w_ok(const void *p, size_t n) {
    return __CPROVER_r_ok(p, n);
}

//@= __CPROVER_w_ok __CPROVER_rw_ok

//@ __cairn_base
// The first byte of the object that a pointer into it, or just behind it, belongs to.
char *__cairn_base(const void *p) {
    char *at = (char *)p;
    while (__cairn_object_size(at - 1) == __cairn_object_size(at) + 1)
        at--;
    return at;
}

//@ __CPROVER_havoc_object
// All of the object, wherever in it the pointer leads. Undefined if there is none.
unsigned char __VERIFIER_nondet_uchar(void);
char *__cairn_base(const void *p);
void __CPROVER_havoc_object(void *p) {
    char *at = __cairn_base(p);
    size_t n = __cairn_object_size(at), i = 0;
    do
        at[i] = (char)__VERIFIER_nondet_uchar();
    while (++i < n);
}
//@= __CPROVER_havoc_object __ESBMC_init_object

//@ __CPROVER_havoc_slice
// CBMC asserts that the bytes can be written.
unsigned char __VERIFIER_nondet_uchar(void);
int __CPROVER_r_ok(const void *p, size_t n);
void __CPROVER_havoc_slice(void *p, size_t n) {
    if (!__CPROVER_r_ok(p, n))
        __cairn_assert_fail("__CPROVER_w_ok(p, n)", "", 0, "__CPROVER_havoc_slice");
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)p)[i] = __VERIFIER_nondet_uchar();
}

//@ __CPROVER_atomic_begin
// There is only one thread.
void __CPROVER_atomic_begin(void) {}
//@= __CPROVER_atomic_begin __ESBMC_atomic_begin __ESBMC_yield

//@ __CPROVER_atomic_end
void __CPROVER_atomic_end(void) {}
//@= __CPROVER_atomic_end __ESBMC_atomic_end

//@* __CPROVER_isnan@C
int __CPROVER_isnan@C(REAL x) {
    return __builtin_isnan(x);
}
//@= __CPROVER_isnan@C __ESBMC_isnan@C

//@* __CPROVER_isinf@C
int __CPROVER_isinf@C(REAL x) {
    return __builtin_isinf(x) != 0;
}
//@= __CPROVER_isinf@C __ESBMC_isinf@C

//@* __CPROVER_isfinite@C
int __CPROVER_isfinite@C(REAL x) {
    return __builtin_isfinite(x);
}
//@= __CPROVER_isfinite@C __ESBMC_isfinite@C

//@* __CPROVER_isnormal@C
int __CPROVER_isnormal@C(REAL x) {
    return __builtin_isnormal(x);
}
//@= __CPROVER_isnormal@C __ESBMC_isnormal@C

//@* __CPROVER_sign@C
int __CPROVER_sign@C(REAL x) {
    return __builtin_signbit(x) != 0;
}
//@= __CPROVER_sign@C __ESBMC_sign@C

//@* __CPROVER_fabs
REAL __CPROVER_fabs@S(REAL x) {
    return __builtin_fabs@S(x);
}
//@= __CPROVER_fabs@S __ESBMC_fabs@S
