// Declaring a built-in function leaves it one: preprocessed text is full of such declarations.
typedef __SIZE_TYPE__ size_t;
extern int printf(const char *, ...);

extern void *__builtin_memcpy(void *, const void *, size_t);
extern void *__builtin_memmove(void *, const void *, size_t);
extern void *__builtin_memset(void *, int, size_t);
extern int __builtin_memcmp(const void *, const void *, size_t);
extern void *__builtin_alloca(size_t);
extern void *__builtin_malloc(size_t) __attribute__((malloc));
extern void *__builtin_calloc(size_t, size_t);
extern void *__builtin_realloc(void *, size_t);
extern void __builtin_free(void *);
extern size_t __builtin_strlen(const char *) __attribute__((pure, nonnull(1)));
extern char *__builtin_strcpy(char *, const char *);
extern char *__builtin_strncpy(char *, const char *, size_t);
extern char *__builtin_strcat(char *, const char *);
extern char *__builtin_strchr(const char *, int);
extern int __builtin_strcmp(const char *, const char *);
extern int __builtin_strncmp(const char *, const char *, size_t);
extern void *__builtin___memcpy_chk(void *, const void *, size_t, size_t);
extern void *__builtin___memset_chk(void *, int, size_t, size_t);
extern char *__builtin___strcpy_chk(char *, const char *, size_t);
extern int __builtin___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern int __builtin___sprintf_chk(char *, int, size_t, const char *, ...);
extern void *__memcpy_chk(void *, const void *, size_t, size_t);
extern void *__memset_chk(void *, int, size_t, size_t);
extern int __builtin_snprintf(char *, size_t, const char *, ...);
extern int __builtin_printf(const char *, ...);
extern int __builtin_puts(const char *);

extern long __builtin_expect(long, long);
extern void __builtin_unreachable(void) __attribute__((noreturn));
extern void __builtin_trap(void) __attribute__((noreturn));
extern void __builtin_abort(void) __attribute__((noreturn));
extern void __builtin_prefetch(const void *, ...);
extern void *__builtin_assume_aligned(const void *, size_t, ...);
extern size_t __builtin_object_size(const void *, int);

extern int __builtin_abs(int);
extern long __builtin_labs(long);
extern long long __builtin_llabs(long long);
extern int __builtin_clz(unsigned);
extern int __builtin_clzl(unsigned long);
extern int __builtin_clzll(unsigned long long);
extern int __builtin_ctz(unsigned);
extern int __builtin_ctzl(unsigned long);
extern int __builtin_ctzll(unsigned long long);
extern int __builtin_ffs(int);
extern int __builtin_ffsl(long);
extern int __builtin_ffsll(long long);
extern int __builtin_popcount(unsigned);
extern int __builtin_popcountl(unsigned long);
extern int __builtin_popcountll(unsigned long long);
extern int __builtin_parity(unsigned);
extern int __builtin_parityll(unsigned long long);
extern int __builtin_clrsb(int);
extern int __builtin_clrsbll(long long);
extern unsigned short __builtin_bswap16(unsigned short);
extern unsigned __builtin_bswap32(unsigned);
extern __UINT64_TYPE__ __builtin_bswap64(__UINT64_TYPE__);

extern double __builtin_inf(void);
extern float __builtin_inff(void);
extern long double __builtin_infl(void);
extern double __builtin_huge_val(void);
extern float __builtin_huge_valf(void);
extern double __builtin_nan(const char *);
extern float __builtin_nanf(const char *);
extern double __builtin_fabs(double);
extern float __builtin_fabsf(float);
extern long double __builtin_fabsl(long double);
extern double __builtin_copysign(double, double);
extern double __builtin_sqrt(double);
extern double __builtin_floor(double);
extern double __builtin_ceil(double);
extern double __builtin_trunc(double);
extern double __builtin_fmin(double, double);
extern double __builtin_fmax(double, double);
extern double __builtin_fmod(double, double);

extern _Bool __builtin_sadd_overflow(int, int, int *);
extern _Bool __builtin_uadd_overflow(unsigned, unsigned, unsigned *);
extern _Bool __builtin_smul_overflow(int, int, int *);
extern _Bool __builtin_ssubll_overflow(long long, long long, long long *);
extern void __sync_synchronize(void);

// Functions of the library that gcc knows, in the ways old programs declare them.
extern int abs(int);
void *memset();
extern void *memcpy(void *__restrict, const void *__restrict, size_t) __attribute__((nonnull(1, 2), leaf));
static size_t strlen(const char *);
inline int labs_of(long v) {
    extern long labs(long);
    return (int)labs(v);
}
extern int labs_of(long v);

static int three(int x) {
    extern long __builtin_expect(long, long);
    if (__builtin_expect(x == 3, 1))
        return 33;
    if (x > 100)
        __builtin_unreachable();
    return x;
}

int main(void) {
    char buf[32], other[32];
    __builtin_memset(buf, 'x', sizeof buf);
    __builtin_memcpy(other, "memory", 7);
    __builtin_memmove(other + 1, other, 7);
    printf("%s %c %d\n", other, buf[31], __builtin_memcmp("ab", "ac", 2) < 0);
    int *p = __builtin_alloca(4 * sizeof(int));
    for (int i = 0; i < 4; i++)
        p[i] = i * i;
    char *m = __builtin_malloc(8), *z = __builtin_calloc(2, 3);
    m = __builtin_realloc(m, 16);
    __builtin_strcpy(m, "heap");
    __builtin_strcat(m, "s");
    printf("%d %s %d %d\n", p[3], m, z[5], (int)__builtin_strlen(m));
    __builtin_strncpy(buf, "abcdef", 4);
    printf("%c%c %s %d %d\n", buf[3], buf[4], __builtin_strchr(m, 'p'), __builtin_strcmp(m, "heap") > 0,
           __builtin_strncmp(m, "heap", 4));
    __builtin_free(m);
    __builtin_free(z);
    __builtin___memcpy_chk(buf, "checked", 8, sizeof buf);
    __builtin___memset_chk(buf + 8, 0, 4, 24);
    printf("%s %d\n", buf, buf[9]);
    printf("%s\n", __builtin___strcpy_chk(buf, "copied", sizeof buf));
    printf("%d ", __builtin___snprintf_chk(buf, sizeof buf, 0, sizeof buf, "%d-%s", 42, "x"));
    printf("%d %s\n", __builtin___sprintf_chk(other, 0, sizeof other, "<%s>", buf), other);
    __memcpy_chk(buf, "again", 6, sizeof buf);
    __memset_chk(buf, 'A', 1, sizeof buf);
    printf("%s\n", buf);
    __builtin_snprintf(buf, sizeof buf, "%05d", 17);
    __builtin_printf("%s\n", buf);
    __builtin_puts("put");

    printf("%d %d\n", three(3), three(5));
    __builtin_prefetch(buf, 0, 1);
    printf("%d\n", __builtin_assume_aligned(p, 4) == p);
    printf("%d %d\n", (int)__builtin_object_size(m, 0) == -1, (int)__builtin_object_size(m, 2));

    volatile int n = -40;
    volatile unsigned u = 40;
    volatile long l = -5;
    volatile unsigned long ul = 96;
    volatile long long ll = -7;
    volatile unsigned long long ull = 0x30000;
    printf("%d %ld %lld\n", __builtin_abs(n), __builtin_labs(l), __builtin_llabs(ll));
    printf("%d %d %d %d %d\n", __builtin_clz(u), __builtin_clzll(ull), __builtin_ctz(u), __builtin_ctzl(ul),
           __builtin_ctzll(ull));
    printf("%d\n", __builtin_clzl(ul) == (int)sizeof(long) * 8 - 7);
    printf("%d %d %d\n", __builtin_ffs(n), __builtin_ffsl(l), __builtin_ffsll(ll));
    printf("%d %d %d\n", __builtin_popcount(u), __builtin_popcountl(ul), __builtin_popcountll(ull));
    printf("%d %d %d %d\n", __builtin_parity(u), __builtin_parityll(ull), __builtin_clrsb(n), __builtin_clrsbll(ll));
    printf("%x %x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(u), (unsigned long long)__builtin_bswap64(ull));

    volatile double d = -2.5;
    volatile float f = -1.5f;
    printf("%f %f %d %d\n", __builtin_inf(), __builtin_huge_val(), __builtin_inff() > 1e30f,
           __builtin_huge_valf() > 1e30f && __builtin_infl() > 1e300L);
    printf("%d %d\n", __builtin_nan("") != __builtin_nan(""), __builtin_nanf("") == 0);
    printf("%f %f %Lf %f\n", __builtin_fabs(d), __builtin_fabsf(f), __builtin_fabsl(-3.0L), __builtin_copysign(1, d));
    printf("%f %f %f %f\n", __builtin_sqrt(6.25), __builtin_floor(d), __builtin_ceil(d), __builtin_trunc(d));
    printf("%f %f %f\n", __builtin_fmin(d, 1), __builtin_fmax(d, 1), __builtin_fmod(d, 2));

    int r;
    unsigned ur;
    long long lr;
    printf("%d ", __builtin_sadd_overflow(0x7fffffff, n, &r));
    printf("%d ", r);
    printf("%d %d ", __builtin_uadd_overflow(0xffffffffu, u, &ur), __builtin_smul_overflow(1 << 20, 1 << 12, &r));
    printf("%d\n", __builtin_ssubll_overflow(ll, 1, &lr));
    __sync_synchronize();

    printf("%d %d %d\n", abs(n), labs_of(-9), (int)strlen("library"));
    memset(buf, 'y', (size_t)3);
    memcpy(buf + 3, "!", 2);
    printf("%s\n", buf);
    void *(*copy)(void *, const void *, size_t) = __builtin_memcpy;
    copy(buf, "z", 1);
    printf("%s\n", buf);
    if (n > 0)
        __builtin_trap();
    if (n > 1)
        __builtin_abort();
    return 0;
}
