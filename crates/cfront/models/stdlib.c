// Numbers, sorting, random numbers, the end of the program, the environment.

//@ abs
int abs(int x) {
    return x < 0 ? -x : x;
}

//@ labs
long labs(long x) {
    return x < 0 ? -x : x;
}

//@ llabs
long long llabs(long long x) {
    return x < 0 ? -x : x;
}

//@ imaxabs
typedef typeof(__builtin_choose_expr(sizeof(long) == 8, 0L, 0LL)) intmax;
intmax imaxabs(intmax x) {
    return x < 0 ? -x : x;
}

//@ div
typedef struct { int quot, rem; } div_t;
div_t div(int a, int b) {
    div_t r = {a / b, a % b};
    return r;
}

//@ ldiv
typedef struct { long quot, rem; } ldiv_t;
ldiv_t ldiv(long a, long b) {
    ldiv_t r = {a / b, a % b};
    return r;
}

//@ imaxdiv
typedef typeof(__builtin_choose_expr(sizeof(long) == 8, 0L, 0LL)) intmax;
typedef struct { intmax quot, rem; } imaxdiv_t;
imaxdiv_t imaxdiv(intmax a, intmax b) {
    imaxdiv_t r = {a / b, a % b};
    return r;
}

//@ lldiv
typedef struct { long long quot, rem; } lldiv_t;
lldiv_t lldiv(long long a, long long b) {
    lldiv_t r = {a / b, a % b};
    return r;
}

//@ __cairn_parse_integer
int *__errno_location(void);
// Reads an integer as `strtol` does. Gives its magnitude, at most `limit` (or, if negative,
// `negative_limit`), and whether it had to be cut: then it fails with ERANGE. A base that does
// not exist fails with EINVAL, and nothing is said about the end.
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut) {
    const char *s = text;
    *negative = *cut = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = 22; // EINVAL
        return 0;
    }
    while (*s == ' ' || (*s >= 9 && *s <= 13))
        s++;
    if (*s == '-' || *s == '+')
        *negative = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        char d = s[2];
        if ((d >= '0' && d <= '9') || (d >= 'a' && d <= 'f') || (d >= 'A' && d <= 'F')) {
            s += 2;
            base = 16;
        }
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    if (*negative)
        limit = negative_limit;
    unsigned long long value = 0;
    int digits = 0;
    for (;; s++, digits = 1) {
        int d = *s;
        if (d >= '0' && d <= '9')
            d -= '0';
        else if (d >= 'a' && d <= 'z')
            d -= 'a' - 10;
        else if (d >= 'A' && d <= 'Z')
            d -= 'A' - 10;
        else
            break;
        if (d >= base)
            break;
        if (*cut || value > (limit - d) / base || (unsigned)d > limit)
            *cut = 1;
        else
            value = value * base + d;
    }
    if (end)
        *end = (char *)(digits ? s : text);
    if (*cut)
        *__errno_location() = 34; // ERANGE
    return *cut ? limit : value;
}

//@ strtol
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut);
long strtol(const char *text, char **end, int base) {
    int negative, cut;
    unsigned long max = (unsigned long)-1 / 2;
    unsigned long long v = __cairn_parse_integer(text, end, base, max, max + 1, &negative, &cut);
    return (long)(negative ? 0 - (unsigned long)v : (unsigned long)v);
}
//@= strtol __isoc23_strtol

//@ strtoll
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut);
long long strtoll(const char *text, char **end, int base) {
    int negative, cut;
    unsigned long long max = (unsigned long long)-1 / 2;
    unsigned long long v = __cairn_parse_integer(text, end, base, max, max + 1, &negative, &cut);
    return (long long)(negative ? 0 - v : v);
}
//@= strtoll __isoc23_strtoll strtoq

//@ strtoul
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut);
unsigned long strtoul(const char *text, char **end, int base) {
    int negative, cut;
    unsigned long max = (unsigned long)-1;
    unsigned long v = (unsigned long)__cairn_parse_integer(text, end, base, max, max, &negative, &cut);
    return negative && !cut ? 0 - v : v;
}
//@= strtoul __isoc23_strtoul

//@ strtoull
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut);
unsigned long long strtoull(const char *text, char **end, int base) {
    int negative, cut;
    unsigned long long max = (unsigned long long)-1;
    unsigned long long v = __cairn_parse_integer(text, end, base, max, max, &negative, &cut);
    return negative && !cut ? 0 - v : v;
}
//@= strtoull __isoc23_strtoull strtouq

//@ strtoimax
long long __model_strtoll(const char *text, char **end, int base);
typeof(__builtin_choose_expr(sizeof(long) == 8, 0L, 0LL)) strtoimax(const char *text, char **end, int base) {
    return __model_strtoll(text, end, base);
}
//@= strtoimax __isoc23_strtoimax

//@ strtoumax
unsigned long long __model_strtoull(const char *text, char **end, int base);
typeof(__builtin_choose_expr(sizeof(long) == 8, 0UL, 0ULL)) strtoumax(const char *text, char **end, int base) {
    return __model_strtoull(text, end, base);
}
//@= strtoumax __isoc23_strtoumax

//@ atoi
long __model_strtol(const char *text, char **end, int base);
int atoi(const char *text) {
    return (int)__model_strtol(text, 0, 10);
}

//@ atol
long __model_strtol(const char *text, char **end, int base);
long atol(const char *text) {
    return __model_strtol(text, 0, 10);
}

//@ atoll
long long __model_strtoll(const char *text, char **end, int base);
long long atoll(const char *text) {
    return __model_strtoll(text, 0, 10);
}

//@ __cairn_unfit
// Is the number that starts a text too large or too small for a type, whose value for it is `huge`
// or `tiny` (1: zero, 2: subnormal)? Words for infinity are not, nor is zero, nor what hexadecimal
// digits give exactly. Then fails with ERANGE.
int *__errno_location(void);
void __cairn_unfit(const char *s, int huge, int tiny) {
    if (!huge && !tiny)
        return;
    while (*s == ' ' || (*s >= 9 && *s <= 13))
        s++;
    if (*s == '-' || *s == '+')
        s++;
    int hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X'), nonzero = 0;
    if (hexadecimal)
        s += 2;
    for (; (*s >= '0' && *s <= '9') || *s == '.' ||
           (hexadecimal && ((*s >= 'a' && *s <= 'f') || (*s >= 'A' && *s <= 'F')));
         s++)
        if (*s != '0' && *s != '.')
            nonzero = 1;
    if (nonzero && !(hexadecimal && tiny == 2))
        *__errno_location() = 34; // ERANGE
}

//@ strtod
// Fails with ERANGE if the value is too large or, in decimal, too small to be normal.
void __cairn_unfit(const char *s, int huge, int tiny);
double __cairn_fabs_d(double x);
int __cairn_isinf_d(double x);
double strtod(const char *text, char **end) {
    double value = __cairn_strtod(text, end);
    double size = __cairn_fabs_d(value);
    __cairn_unfit(text, __cairn_isinf_d(value), size == 0 ? 1 : size < 2.2250738585072014e-308 ? 2 : 0);
    return value;
}

//@ strtof
// Fails as `strtod`.
void __cairn_unfit(const char *s, int huge, int tiny);
float __cairn_fabs_f(float x);
int __cairn_isinf_f(float x);
float strtof(const char *text, char **end) {
    float value = __cairn_strtof(text, end);
    float size = __cairn_fabs_f(value);
    __cairn_unfit(text, __cairn_isinf_f(value), size == 0 ? 1 : size < 1.17549435e-38f ? 2 : 0);
    return value;
}

//@ strtold
// Fails as `strtod`.
void __cairn_unfit(const char *s, int huge, int tiny);
long double __cairn_fabs_l(long double x);
int __cairn_isinf_l(long double x);
long double strtold(const char *text, char **end) {
    long double value = __cairn_strtold(text, end);
    long double size = __cairn_fabs_l(value);
    __cairn_unfit(text, __cairn_isinf_l(value), size == 0 ? 1 : size < 3.36210314311209350626e-4932L ? 2 : 0);
    return value;
}

//@ atof
double __model_strtod(const char *text, char **end);
double atof(const char *text) {
    return __model_strtod(text, 0);
}

//@ __cairn_merge_sort
// The merge sort of glibc: halves first, the left element first among equal ones.
void __cairn_merge_sort(char *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
                        void *context, char *spare) {
    if (n <= 1)
        return;
    size_t left = n / 2, right = n - left;
    char *a = base, *b = base + left * size, *out = spare;
    __cairn_merge_sort(a, left, size, compare, context, spare);
    __cairn_merge_sort(b, right, size, compare, context, spare);
    while (left > 0 && right > 0) {
        if (compare(a, b, context) <= 0) {
            __cairn_copy(out, a, size);
            a += size;
            left--;
        } else {
            __cairn_copy(out, b, size);
            b += size;
            right--;
        }
        out += size;
    }
    if (left > 0)
        __cairn_copy(out, a, left * size);
    __cairn_copy(base, spare, (n - right) * size);
}

//@ qsort_r
void __cairn_merge_sort(char *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
                        void *context, char *spare);
void qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *context) {
    if (n <= 1 || size == 0)
        return;
    char *spare = __cairn_alloc(n * size);
    __cairn_merge_sort(base, n, size, compare, context, spare);
    __cairn_free(spare);
}

//@ qsort
void __model_qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *context);
static int by_two(const void *a, const void *b, void *compare) {
    return (*(int (**)(const void *, const void *))compare)(a, b);
}
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    __model_qsort_r(base, n, size, by_two, &compare);
}

//@ bsearch
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const void *p = (const char *)base + middle * size;
        int order = compare(key, p);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)p;
    }
    return 0;
}

//@ rand
// Any number in range: nothing is assumed of the generator.
int __cairn_input_rand(void);
int rand(void) {
    return __cairn_input_rand() & 0x7fffffff;
}

//@ srand
void srand(unsigned seed) {}

//@ rand_r
int __cairn_input_rand(void);
int rand_r(unsigned *seed) {
    *seed = (unsigned)__cairn_input_rand();
    return __cairn_input_rand() & 0x7fffffff;
}

//@ random
int __cairn_input_rand(void);
long random(void) {
    return __cairn_input_rand() & 0x7fffffff;
}

//@ srandom
void srandom(unsigned seed) {}

//@ initstate
// The state of the generator says nothing about its numbers.
char *initstate(unsigned seed, char *state, size_t n) {
    static char *current;
    char *old = current;
    current = state;
    return old;
}

//@ setstate
char *setstate(char *state) {
    static char *current;
    char *old = current;
    current = state;
    return old;
}

//@ __cairn_random48 __cairn_factor48 __cairn_addend48
// The linear congruential generator of the standard, in 48 bits.
unsigned short __cairn_random48[3];
unsigned long long __cairn_factor48 = 0x5deece66d;
unsigned short __cairn_addend48 = 11;

//@ __cairn_next48
extern unsigned long long __cairn_factor48;
extern unsigned short __cairn_addend48;
unsigned long long __cairn_next48(unsigned short *state) {
    unsigned long long x = state[0] | (unsigned long long)state[1] << 16 | (unsigned long long)state[2] << 32;
    x = (x * __cairn_factor48 + __cairn_addend48) & 0xffffffffffff;
    state[0] = (unsigned short)x;
    state[1] = (unsigned short)(x >> 16);
    state[2] = (unsigned short)(x >> 32);
    return x;
}

//@ erand48
unsigned long long __cairn_next48(unsigned short *state);
double erand48(unsigned short *state) {
    return (double)__cairn_next48(state) / 281474976710656.0;
}

//@ drand48
extern unsigned short __cairn_random48[3];
unsigned long long __cairn_next48(unsigned short *state);
double drand48(void) {
    return (double)__cairn_next48(__cairn_random48) / 281474976710656.0;
}

//@ nrand48
unsigned long long __cairn_next48(unsigned short *state);
long nrand48(unsigned short *state) {
    return (long)(__cairn_next48(state) >> 17);
}

//@ lrand48
extern unsigned short __cairn_random48[3];
unsigned long long __cairn_next48(unsigned short *state);
long lrand48(void) {
    return (long)(__cairn_next48(__cairn_random48) >> 17);
}

//@ jrand48
unsigned long long __cairn_next48(unsigned short *state);
long jrand48(unsigned short *state) {
    return (int)(__cairn_next48(state) >> 16);
}

//@ mrand48
extern unsigned short __cairn_random48[3];
unsigned long long __cairn_next48(unsigned short *state);
long mrand48(void) {
    return (int)(__cairn_next48(__cairn_random48) >> 16);
}

//@ srand48
extern unsigned short __cairn_random48[3], __cairn_addend48;
extern unsigned long long __cairn_factor48;
void srand48(long seed) {
    __cairn_random48[0] = 0x330e;
    __cairn_random48[1] = (unsigned short)seed;
    __cairn_random48[2] = (unsigned short)(seed >> 16);
    __cairn_factor48 = 0x5deece66d;
    __cairn_addend48 = 11;
}

//@ seed48
extern unsigned short __cairn_random48[3], __cairn_addend48;
extern unsigned long long __cairn_factor48;
unsigned short *seed48(unsigned short *seed) {
    static unsigned short old[3];
    for (int i = 0; i < 3; i++) {
        old[i] = __cairn_random48[i];
        __cairn_random48[i] = seed[i];
    }
    __cairn_factor48 = 0x5deece66d;
    __cairn_addend48 = 11;
    return old;
}

//@ lcong48
extern unsigned short __cairn_random48[3], __cairn_addend48;
extern unsigned long long __cairn_factor48;
void lcong48(unsigned short *all) {
    for (int i = 0; i < 3; i++)
        __cairn_random48[i] = all[i];
    __cairn_factor48 = all[3] | (unsigned long long)all[4] << 16 | (unsigned long long)all[5] << 32;
    __cairn_addend48 = all[6];
}

//@ system
// The state of the command, or -1; without a command, whether there is a shell.
int __cairn_input_system(void);
int system(const char *command) {
    if (command)
        *(volatile const char *)command;
    return __cairn_input_system();
}

//@ a64l
long a64l(const char *s) {
    unsigned value = 0;
    for (int i = 0; i < 6 && s[i]; i++) {
        char c = s[i];
        unsigned d;
        if (c >= '.' && c <= '9')
            d = (unsigned)(c - '.');
        else if (c >= 'A' && c <= 'Z')
            d = (unsigned)(c - 'A') + 12;
        else if (c >= 'a' && c <= 'z')
            d = (unsigned)(c - 'a') + 38;
        else
            break;
        value |= d << (6 * i);
    }
    return (int)value;
}

//@ l64a
char *l64a(long number) {
    static char text[7];
    unsigned n = (unsigned)number;
    int i = 0;
    for (; n; n >>= 6) {
        unsigned d = n & 63;
        text[i++] = (char)(d < 12 ? '.' + d : d < 38 ? 'A' + (d - 12) : 'a' + (d - 38));
    }
    text[i] = 0;
    return text;
}

//@ __errno_location
int *__errno_location(void) {
    static int error;
    return &error;
}

//@ __cairn_exit_handlers __cairn_exit_handler_count
void (*__cairn_exit_handlers[32])(void);
int __cairn_exit_handler_count;
struct __cairn_exit_cell {
    struct __cairn_exit_cell *before;
    void (*handler)(void);
} *__cairn_more_exit_handlers;

//@ atexit
// There is room for 32 handlers; further ones go on the heap. So there is no limit, as in glibc.
extern void (*__cairn_exit_handlers[32])(void);
extern int __cairn_exit_handler_count;
extern struct __cairn_exit_cell {
    struct __cairn_exit_cell *before;
    void (*handler)(void);
} *__cairn_more_exit_handlers;
int atexit(void (*handler)(void)) {
    if (__cairn_exit_handler_count < 32) {
        __cairn_exit_handlers[__cairn_exit_handler_count++] = handler;
    } else {
        struct __cairn_exit_cell *cell = __cairn_alloc(sizeof *cell);
        cell->before = __cairn_more_exit_handlers;
        cell->handler = handler;
        __cairn_more_exit_handlers = cell;
    }
    return 0;
}

//@ __cairn_run_exit_handlers
// Called by `exit`, and at the end of `main` in programs that use `atexit`.
extern void (*__cairn_exit_handlers[32])(void);
extern int __cairn_exit_handler_count;
extern struct __cairn_exit_cell {
    struct __cairn_exit_cell *before;
    void (*handler)(void);
} *__cairn_more_exit_handlers;
void __cairn_run_exit_handlers(void) {
    for (;;) {
        if (__cairn_more_exit_handlers) {
            struct __cairn_exit_cell *cell = __cairn_more_exit_handlers;
            void (*handler)(void) = cell->handler;
            __cairn_more_exit_handlers = cell->before;
            __cairn_free(cell);
            handler();
        } else if (__cairn_exit_handler_count > 0) {
            __cairn_exit_handlers[--__cairn_exit_handler_count]();
        } else {
            break;
        }
    }
}

//@ exit
void __cairn_run_exit_handlers(void);
__attribute__((noreturn)) void exit(int code) {
    __cairn_run_exit_handlers();
    __cairn_exit(code);
}

//@ pthread_exit
// There is only one thread: with it the program ends.
__attribute__((noreturn)) void exit(int code);
__attribute__((noreturn)) void pthread_exit(void *value) {
    exit(0);
}

//@ _exit
__attribute__((noreturn)) void _exit(int code) {
    __cairn_exit(code);
}

//@ _Exit
__attribute__((noreturn)) void _Exit(int code) {
    __cairn_exit(code);
}

//@ quick_exit
__attribute__((noreturn)) void quick_exit(int code) {
    __cairn_exit(code);
}

//@ abort
__attribute__((noreturn)) void abort(void) {
    __cairn_abort();
}

//@ __assert_fail
__attribute__((noreturn)) void __assert_fail(const char *text, const char *file, unsigned line,
                                             const char *function) {
    __cairn_assert_fail(text, file, line, function);
}

//@ __assert
__attribute__((noreturn)) void __assert(const char *text, const char *file, int line) {
    __cairn_assert_fail(text, file, (unsigned)line, 0);
}

//@ __assert_rtn
__attribute__((noreturn)) void __assert_rtn(const char *function, const char *file, int line, const char *text) {
    __cairn_assert_fail(text, file, (unsigned)line, function);
}

//@ call_once
// <threads.h>; there is one thread.
void call_once(int *flag, void (*init)(void)) {
    if (*flag == 0) {
        *flag = 1;
        init();
    }
}

//@ pthread_once
void __model_call_once(int *flag, void (*init)(void));
int pthread_once(int *flag, void (*init)(void)) {
    __model_call_once(flag, init);
    return 0;
}
