/* Test harness written by Cairn. Compile it together with the program and run the result:
 * exit code 107: the error was reached; 108: the program reads more inputs than there are;
 * 109: an assumption of the program does not hold. */

#define CAIRN_WEAK __attribute__((weak, no_instrument_function))
#define CAIRN_OWN static __attribute__((unused, no_instrument_function))
extern int fflush(void *);
extern int dprintf(int, const char *, ...);
extern void _exit(int) __attribute__((noreturn));
struct cairn_input { unsigned long long lo, hi; };

static const struct cairn_input cairn_inputs[] = {
    {0x3ULL, 0x0ULL}, /* __VERIFIER_nondet_int = 3 */
    {0x4ULL, 0x0ULL}, /* __VERIFIER_nondet_int = 4 */
    {0x3ff8000000000000ULL, 0x0ULL}, /* __VERIFIER_nondet_double = 1.5 */
    {0, 0}
};
enum { CAIRN_COUNT = 3 };

CAIRN_OWN void cairn_end(int code, const char *what) {
    fflush(0);
    dprintf(2, "cairn: %s\n", what);
    _exit(code);
}

static int cairn_next;

CAIRN_OWN struct cairn_input cairn_take(const char *name) {
    if (cairn_next >= CAIRN_COUNT) {
        dprintf(2, "cairn: %s()\n", name);
        cairn_end(108, "no input left");
    }
    return cairn_inputs[cairn_next++];
}

CAIRN_WEAK double __VERIFIER_nondet_double() { struct cairn_input i = cairn_take("__VERIFIER_nondet_double"); double v; __builtin_memcpy(&v, &i, 8); return v; }
CAIRN_WEAK int __VERIFIER_nondet_int() { struct cairn_input i = cairn_take("__VERIFIER_nondet_int"); int v; __builtin_memcpy(&v, &i, 4); return v; }

CAIRN_WEAK void reach_error(void) { cairn_end(107, "error reached"); }
CAIRN_WEAK void __VERIFIER_error(void) { cairn_end(107, "error reached"); }
CAIRN_WEAK void __VERIFIER_assume(int holds) { if (!holds) cairn_end(109, "assumption does not hold"); }
CAIRN_WEAK void __CPROVER_assume(int holds) { if (!holds) cairn_end(109, "assumption does not hold"); }
CAIRN_WEAK void __VERIFIER_assert(int holds) { if (!holds) cairn_end(107, "assertion failed"); }
CAIRN_WEAK void __CPROVER_assert(int holds, const char *text) { __VERIFIER_assert(holds); }
CAIRN_WEAK void __CPROVER_precondition(int holds, const char *text) { __VERIFIER_assert(holds); }
CAIRN_WEAK void __CPROVER_postcondition(int holds, const char *text) { __VERIFIER_assert(holds); }
CAIRN_WEAK void __ESBMC_assume(_Bool holds) { __VERIFIER_assume(holds); }
CAIRN_WEAK void __ESBMC_assert(_Bool holds, const char *text) { __VERIFIER_assert(holds); }
CAIRN_WEAK int __ESBMC_abs(int x) { return x < 0 ? -x : x; }
CAIRN_WEAK _Bool __ESBMC_isnanf(float x) { return __builtin_isnan(x); }
CAIRN_WEAK _Bool __ESBMC_isnand(double x) { return __builtin_isnan(x); }
CAIRN_WEAK _Bool __ESBMC_isnanld(long double x) { return __builtin_isnan(x); }
CAIRN_WEAK _Bool __ESBMC_isinff(float x) { return __builtin_isinf(x); }
CAIRN_WEAK _Bool __ESBMC_isinfd(double x) { return __builtin_isinf(x); }
CAIRN_WEAK _Bool __ESBMC_isinfld(long double x) { return __builtin_isinf(x); }
CAIRN_WEAK _Bool __ESBMC_isnormalf(float x) { return __builtin_isnormal(x); }
CAIRN_WEAK _Bool __ESBMC_isnormald(double x) { return __builtin_isnormal(x); }
CAIRN_WEAK _Bool __ESBMC_isnormalld(long double x) { return __builtin_isnormal(x); }
CAIRN_WEAK _Bool __ESBMC_isfinitef(float x) { return __builtin_isfinite(x); }
CAIRN_WEAK _Bool __ESBMC_isfinited(double x) { return __builtin_isfinite(x); }
CAIRN_WEAK _Bool __ESBMC_isfiniteld(long double x) { return __builtin_isfinite(x); }
CAIRN_WEAK _Bool __ESBMC_isnan(double x) { return __builtin_isnan(x); }
CAIRN_WEAK _Bool __ESBMC_isinf(double x) { return __builtin_isinf(x); }
CAIRN_WEAK _Bool __ESBMC_isnormal(double x) { return __builtin_isnormal(x); }
CAIRN_WEAK _Bool __ESBMC_isfinite(double x) { return __builtin_isfinite(x); }
CAIRN_WEAK void __ESBMC_atomic_begin(void) {}
CAIRN_WEAK void __ESBMC_atomic_end(void) {}
CAIRN_WEAK void __VERIFIER_atomic_begin(void) {}
CAIRN_WEAK void __VERIFIER_atomic_end(void) {}
CAIRN_WEAK void assert(int holds) { if (!holds) cairn_end(107, "assertion failed"); }
CAIRN_WEAK void __assert_fail(const char *text, const char *file, unsigned line, const char *f) {
    dprintf(2, "%s:%u: %s: %s\n", file, line, f, text);
    cairn_end(107, "assertion failed");
}

/* Called at the entry of functions compiled with -finstrument-functions. */
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *call) {}
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *call) {
    if (f && f == (void *)reach_error) cairn_end(107, "error reached");
    if (f && f == (void *)__VERIFIER_error) cairn_end(107, "error reached");
}
