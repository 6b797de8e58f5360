// Built-in functions that take any type, declared with one: what some tools print for the programs
// they merge. gcc forgets the built-in then and such a program does not link; its author means the built-in.
extern int printf(const char *, ...);
extern void abort(void);

extern int __builtin_constant_p(int);
extern int __builtin_isnan(double);
extern int __builtin_isinf(double);
extern int __builtin_isfinite(double);
extern int __builtin_signbit(double);
extern int __builtin_isgreater(double, double);
extern int __builtin_classify_type();
extern _Bool __builtin_add_overflow(int, int, int *);
extern int __sync_fetch_and_add(int *, int);
extern int __sync_lock_test_and_set(int *, int);
extern _Bool __sync_bool_compare_and_swap(int *, int, int);
extern int __atomic_fetch_sub(int *, int, int);
extern int __atomic_load_n(const int *, int);
extern void __atomic_store_n(int *, int, int);
extern void __builtin_va_start(__builtin_va_list, ...);
extern void __builtin_va_end(__builtin_va_list);

static int second(int count, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, count);
    __builtin_va_arg(ap, int);
    int value = __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return value;
}

int main(void) {
    volatile double nan = __builtin_nan(""), big = 1e300;
    int n = 5, r;
    printf("%d %d\n", __builtin_constant_p(3), __builtin_constant_p(n));
    printf("%d %d %d\n", __builtin_isnan(nan) != 0, __builtin_isinf(big * big) != 0, __builtin_isfinite(big) != 0);
    printf("%d %d %d\n", __builtin_signbit(-big) != 0, __builtin_isgreater(big, nan), __builtin_classify_type(big));
    printf("%d\n", __builtin_add_overflow(0x7fffffff, n, &r));
    printf("%d ", __sync_fetch_and_add(&n, 2));
    printf("%d ", __sync_lock_test_and_set(&n, 9));
    printf("%d ", __sync_bool_compare_and_swap(&n, 9, 10));
    printf("%d ", __atomic_fetch_sub(&n, 1, 5));
    __atomic_store_n(&n, __atomic_load_n(&n, 5) * 2, 5);
    printf("%d\n", n);
    printf("%d\n", second(2, 1, 77));
    abort();
}
