// Numbers, sorting, the end of the program, and what comes from the outside.

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

//@ lldiv
typedef struct { long long quot, rem; } lldiv_t;
lldiv_t lldiv(long long a, long long b) {
    lldiv_t r = {a / b, a % b};
    return r;
}

//@ __cairn_parse_integer
int *__errno_location(void);
// Reads an integer as `strtol` does. Gives its magnitude, at most `limit` (or, if negative,
// `negative_limit`), and whether it had to be cut.
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut) {
    const char *s = text;
    *negative = *cut = 0;
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

//@ strtoll
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut);
long long strtoll(const char *text, char **end, int base) {
    int negative, cut;
    unsigned long long max = (unsigned long long)-1 / 2;
    unsigned long long v = __cairn_parse_integer(text, end, base, max, max + 1, &negative, &cut);
    return (long long)(negative ? 0 - v : v);
}

//@ strtoul
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut);
unsigned long strtoul(const char *text, char **end, int base) {
    int negative, cut;
    unsigned long max = (unsigned long)-1;
    unsigned long v = (unsigned long)__cairn_parse_integer(text, end, base, max, max, &negative, &cut);
    return negative && !cut ? 0 - v : v;
}

//@ strtoull
unsigned long long __cairn_parse_integer(const char *text, char **end, int base, unsigned long long limit,
                                         unsigned long long negative_limit, int *negative, int *cut);
unsigned long long strtoull(const char *text, char **end, int base) {
    int negative, cut;
    unsigned long long max = (unsigned long long)-1;
    unsigned long long v = __cairn_parse_integer(text, end, base, max, max, &negative, &cut);
    return negative && !cut ? 0 - v : v;
}

//@ strtoimax
long long __model_strtoll(const char *text, char **end, int base);
typeof(__builtin_choose_expr(sizeof(long) == 8, 0L, 0LL)) strtoimax(const char *text, char **end, int base) {
    return __model_strtoll(text, end, base);
}

//@ strtoumax
unsigned long long __model_strtoull(const char *text, char **end, int base);
typeof(__builtin_choose_expr(sizeof(long) == 8, 0UL, 0ULL)) strtoumax(const char *text, char **end, int base) {
    return __model_strtoull(text, end, base);
}

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

//@ strtod
double strtod(const char *text, char **end) {
    return __cairn_strtod(text, end);
}

//@ atof
double atof(const char *text) {
    return __cairn_strtod(text, 0);
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

//@ time
// Some second of the epoch that fits 31 bits.
int __cairn_input_time(void);
long time(long *result) {
    long now = __cairn_input_time() & 0x7fffffff;
    if (result)
        *result = now;
    return now;
}

//@ clock
int __cairn_input_clock(void);
long clock(void) {
    return __cairn_input_clock() & 0x7fffffff;
}

//@ sleep
unsigned sleep(unsigned seconds) {
    return 0;
}

//@ usleep
int usleep(unsigned microseconds) {
    return 0;
}

//@ getenv
// The environment is empty.
char *getenv(const char *name) {
    return 0;
}

//@ __errno_location
int *__errno_location(void) {
    static int error;
    return &error;
}

//@ __cairn_exit_handlers __cairn_exit_handler_count
void (*__cairn_exit_handlers[32])(void);
int __cairn_exit_handler_count;

//@ atexit
extern void (*__cairn_exit_handlers[32])(void);
extern int __cairn_exit_handler_count;
int atexit(void (*handler)(void)) {
    if (__cairn_exit_handler_count == 32)
        return -1;
    __cairn_exit_handlers[__cairn_exit_handler_count++] = handler;
    return 0;
}

//@ __cairn_run_exit_handlers
// Called by `exit`, and at the end of `main` in programs that use `atexit`.
extern void (*__cairn_exit_handlers[32])(void);
extern int __cairn_exit_handler_count;
void __cairn_run_exit_handlers(void) {
    while (__cairn_exit_handler_count > 0)
        __cairn_exit_handlers[--__cairn_exit_handler_count]();
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
