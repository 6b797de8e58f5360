// Built-in functions that the program declares are still built in.
typedef __SIZE_TYPE__ size_t;
extern void *__builtin_memcpy(void *, const void *, size_t);
extern void *__builtin_memset(void *, int, size_t);
extern long __builtin_expect(long, long);
extern int __builtin_abs(int);
extern unsigned __builtin_bswap32(unsigned);
extern int __sync_fetch_and_add(int *, int);
extern void reach_error(void);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), m = 0, zero = 1;
    __builtin_memcpy(&m, &n, sizeof m);
    __builtin_memset(&zero, 0, sizeof zero);
    if (__builtin_expect(m != n || zero, 0))
        reach_error();
    if (n > -1000 && n < 1000 && __builtin_abs(n) < 0)
        reach_error();
    if (__builtin_bswap32(__builtin_bswap32((unsigned)n)) != (unsigned)n)
        reach_error();
    if (__sync_fetch_and_add(&m, 1) != n || m != (int)((unsigned)n + 1))
        reach_error();
    abort();
}
