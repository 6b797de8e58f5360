// Primitives about objects, for CBMC and for ESBMC: may so many bytes be read, and any values for all of an object.
int __VERIFIER_nondet_int(void);

struct pair {
    int a, b;
};

int main(void) {
    char small[5], large[10], *p = __VERIFIER_nondet_int() ? small : large;
    __ESBMC_assert(__ESBMC_r_ok(p, 5), "both have five bytes");
    __ESBMC_assert(!__ESBMC_w_ok(p, 11), "none has eleven");
    __CPROVER_assert(__CPROVER_rw_ok(p + 1, 4), "four bytes are left");
    __ESBMC_assert(__ESBMC_get_object_size(p + 2) == (p == small ? 5 : 10), "the size of all of it");
    struct pair pair = {1, 2};
    int other = 3;
    __ESBMC_init_object(&pair.b);
    __ESBMC_assume(pair.a == 4 && pair.b == 5);
    __ESBMC_assert(pair.a + pair.b == 9 && other == 3, "what was assumed, and what was left alone");
    return 0;
}
