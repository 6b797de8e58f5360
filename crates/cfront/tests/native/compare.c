// Models against the C library of this machine. Prints each difference.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad;
#define CHECK(cond, ...)                     \
    do {                                     \
        if (!(cond)) {                       \
            bad = 1;                         \
            printf(__VA_ARGS__);             \
            putchar('\n');                   \
        }                                    \
    } while (0)

static int sign(int x) { return (x > 0) - (x < 0); }
static unsigned long long state = 88172645463325252ull;
static unsigned long long next(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static const char *const numbers[] = {
    "", " ", "0", "-0", "+1", "  42abc", "-17", "2147483647", "2147483648", "-2147483648", "-2147483649",
    "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615",
    "99999999999999999999999", "0x", "0x1f", "-0X1Fg", "0xg", "077", "08", "zz", "-zz", "+-1", "- 1", "1e3", "\t\n12",
    "7fffffffffffffff", "ffffffffffffffff", "0b11"};

#define INTEGERS(T, name, format)                                                                   \
    T __model_##name(const char *, char **, int);                                                   \
    static void test_##name(void) {                                                                 \
        static const int bases[] = {0, 2, 8, 10, 16, 36};                                           \
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)                               \
            for (size_t b = 0; b < 6; b++) {                                                        \
                char *e1, *e2;                                                                      \
                errno = 0;                                                                          \
                T x = name(numbers[i], &e1, bases[b]);                                              \
                int e = errno;                                                                      \
                errno = 0;                                                                          \
                T y = __model_##name(numbers[i], &e2, bases[b]);                                    \
                CHECK(x == y && e1 == e2 && e == errno, #name "(\"%s\", %d): " format " " format,  \
                      numbers[i], bases[b], x, y);                                                  \
            }                                                                                       \
    }
INTEGERS(long, strtol, "%ld")
INTEGERS(unsigned long, strtoul, "%lu")
INTEGERS(long long, strtoll, "%lld")
INTEGERS(unsigned long long, strtoull, "%llu")

static const char *const words[] = {"", "a", "b", "ab", "abc", "abcabc", "cab", "ABC", "a,b;c", ",;", "\x80", "\xff\x01"};
#define EACH(v) for (size_t v = 0; v < sizeof words / sizeof *words; v++)

size_t __model_strlen(const char *);
size_t __model_strnlen(const char *, size_t);
int __model_strcmp(const char *, const char *), __model_strncmp(const char *, const char *, size_t);
int __model_strcasecmp(const char *, const char *), __model_memcmp(const void *, const void *, size_t);
char *__model_strchr(const char *, int), *__model_strrchr(const char *, int), *__model_strchrnul(const char *, int);
char *__model_strstr(const char *, const char *), *__model_strpbrk(const char *, const char *);
size_t __model_strspn(const char *, const char *), __model_strcspn(const char *, const char *);
char *__model_strncpy(char *, const char *, size_t), *__model_strncat(char *, const char *, size_t);
char *__model_strcpy(char *, const char *), *__model_stpncpy(char *, const char *, size_t);
char *__model_strtok_r(char *, const char *, char **), *__model_strsep(char **, const char *);
void *__model_memchr(const void *, int, size_t), *__model_memrchr(const void *, int, size_t);
void *__model_memccpy(void *, const void *, int, size_t), *__model_memmem(const void *, size_t, const void *, size_t);

static void strings(void) {
    EACH(i) {
        const char *s = words[i];
        CHECK(strlen(s) == __model_strlen(s), "strlen(%s)", s);
        for (int c = 0; c < 256; c++) {
            CHECK(strchr(s, c) == __model_strchr(s, c), "strchr(%s, %d)", s, c);
            CHECK(strrchr(s, c) == __model_strrchr(s, c), "strrchr(%s, %d)", s, c);
            CHECK(strchrnul(s, c) == __model_strchrnul(s, c), "strchrnul(%s, %d)", s, c);
            CHECK(memchr(s, c, strlen(s)) == __model_memchr(s, c, strlen(s)), "memchr(%s, %d)", s, c);
            CHECK(memrchr(s, c, strlen(s)) == __model_memrchr(s, c, strlen(s)), "memrchr(%s, %d)", s, c);
        }
        EACH(j) {
            const char *t = words[j];
            CHECK(sign(strcmp(s, t)) == sign(__model_strcmp(s, t)), "strcmp(%s, %s)", s, t);
            CHECK(sign(strcasecmp(s, t)) == sign(__model_strcasecmp(s, t)), "strcasecmp(%s, %s)", s, t);
            CHECK(strstr(s, t) == __model_strstr(s, t), "strstr(%s, %s)", s, t);
            CHECK(strspn(s, t) == __model_strspn(s, t), "strspn(%s, %s)", s, t);
            CHECK(strcspn(s, t) == __model_strcspn(s, t), "strcspn(%s, %s)", s, t);
            CHECK(strpbrk(s, t) == __model_strpbrk(s, t), "strpbrk(%s, %s)", s, t);
            CHECK(memmem(s, strlen(s), t, strlen(t)) == __model_memmem(s, strlen(s), t, strlen(t)), "memmem(%s, %s)", s, t);
            for (size_t n = 0; n < 8; n++) {
                CHECK(sign(strncmp(s, t, n)) == sign(__model_strncmp(s, t, n)), "strncmp(%s, %s, %zu)", s, t, n);
                CHECK(strnlen(s, n) == __model_strnlen(s, n), "strnlen(%s, %zu)", s, n);
                char a[32], b[32];
                memset(a, 'x', 32), memset(b, 'x', 32);
                strcpy(a, s), __model_strcpy(b, s);
                strncat(a, t, n), __model_strncat(b, t, n);
                CHECK(memcmp(a, b, 32) == 0, "strncat(%s, %s, %zu)", s, t, n);
                strncpy(a, t, n), __model_strncpy(b, t, n);
                CHECK(memcmp(a, b, 32) == 0, "strncpy(%s, %zu)", t, n);
                CHECK(stpncpy(a, t, n) - a == __model_stpncpy(b, t, n) - b, "stpncpy(%s, %zu)", t, n);
                char *p = memccpy(a, "abcdefgh", 'd', n), *q = __model_memccpy(b, "abcdefgh", 'd', n);
                CHECK((p ? p - a : -1) == (q ? q - b : -1), "memccpy %zu", n);
            }
        }
    }
    char a[] = ",,a,b;;c,", b[] = ",,a,b;;c,", *p, *q, *s = a, *t = b;
    char *x = strtok_r(a, ",;", &p), *y = __model_strtok_r(b, ",;", &q);
    for (; x || y; x = strtok_r(0, ",;", &p), y = __model_strtok_r(0, ",;", &q))
        CHECK(x && y && x - a == y - b && strcmp(x, y) == 0, "strtok_r");
    while (s || t) {
        x = strsep(&s, ",;"), y = __model_strsep(&t, ",;");
        CHECK(x && y && x - a == y - b && !s == !t, "strsep");
    }
}

#define CLASSES(F) \
    F(isalpha) F(isdigit) F(isalnum) F(isspace) F(isupper) F(islower) F(ispunct) F(isprint) F(isgraph) F(iscntrl) \
    F(isxdigit) F(isblank) F(tolower) F(toupper)
#define DECLARE(f) int __model_##f(int);
CLASSES(DECLARE)
const unsigned short **__model___ctype_b_loc(void);
const int **__model___ctype_tolower_loc(void), **__model___ctype_toupper_loc(void);

static void characters(void) {
    for (int c = -1; c < 256; c++) {
#define COMPARE(f) CHECK((f)(c) == __model_##f(c), #f "(%d): %d %d", c, (f)(c), __model_##f(c));
        CLASSES(COMPARE)
    }
    for (int c = -128; c < 256; c++) {
        CHECK((*__ctype_b_loc())[c] == (*__model___ctype_b_loc())[c], "__ctype_b_loc %d", c);
        CHECK((*__ctype_tolower_loc())[c] == (*__model___ctype_tolower_loc())[c], "__ctype_tolower_loc %d", c);
        CHECK((*__ctype_toupper_loc())[c] == (*__model___ctype_toupper_loc())[c], "__ctype_toupper_loc %d", c);
    }
}

// The sequence of comparisons must be the library's, not only the result.
struct item { int key, id; char pad[40]; };
static unsigned long long trace;
static int by_key(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    trace = trace * 31 + (unsigned)(x->id * 1000 + y->id);
    return (x->key > y->key) - (x->key < y->key);
}
void __model_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *__model_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
static void sorting(void) {
    static struct item a[200], b[200];
    for (size_t n = 0; n < 200; n += 7) {
        for (size_t i = 0; i < n; i++)
            a[i].key = (int)(next() % 50), a[i].id = (int)i;
        memcpy(b, a, sizeof a);
        trace = 0;
        qsort(a, n, sizeof *a, by_key);
        unsigned long long t = trace;
        trace = 0;
        __model_qsort(b, n, sizeof *b, by_key);
        CHECK(memcmp(a, b, n * sizeof *a) == 0 && t == trace, "qsort of %zu", n);
        for (int k = -1; k < 51; k++) {
            struct item key = {k, -1, ""};
            CHECK(bsearch(&key, a, n, sizeof *a, by_key) == __model_bsearch(&key, a, n, sizeof *a, by_key), "bsearch %d", k);
        }
    }
}

#define FLOATS(T, S, format)                                                                          \
    T __model_frexp##S(T, int *), __model_scalbn##S(T, int), __model_modf##S(T, T *), __model_logb##S(T); \
    int __model_ilogb##S(T), __model___fpclassify##S(T);                                              \
    static int same##S(T x, T y) { return isnan(x) ? isnan(y) : x == y && signbit(x) == signbit(y); } \
    static void floats##S(void) {                                                                     \
        for (int i = 0; i < 20000; i++) {                                                             \
            union { T f; unsigned long long u[2]; } v = {0};                                          \
            v.u[0] = next(), v.u[1] = next() & 0xffff;                                                \
            if (sizeof(T) > 8) v.u[0] |= 1ull << 63;                                                  \
            T x = i == 0 ? 0 : i == 1 ? -0.0 : i == 2 ? INFINITY : i == 3 ? -INFINITY : i == 4 ? NAN : v.f; \
            if (i % 3 == 0 && i > 4) x = scalbn##S(x, sizeof(T) == 4 ? -100 : sizeof(T) == 8 ? -900 : -16000); \
            int e1 = 0, e2 = 0, n = (int)(next() % 4200) - 2100;                                      \
            if (sizeof(T) > 8) n *= 10;                                                               \
            T a = frexp##S(x, &e1), b = __model_frexp##S(x, &e2);                                     \
            CHECK(same##S(a, b) && (e1 == e2 || !isfinite(x)), "frexp" #S " " format, x);             \
            a = scalbn##S(x, n), b = __model_scalbn##S(x, n);                                         \
            CHECK(same##S(a, b), "scalbn" #S " " format " %d: " format " " format, x, n, a, b);       \
            T p, q;                                                                                   \
            a = modf##S(x, &p), b = __model_modf##S(x, &q);                                           \
            CHECK(same##S(a, b) && same##S(p, q), "modf" #S " " format, x);                           \
            CHECK(same##S(logb##S(x), __model_logb##S(x)), "logb" #S " " format, x);                  \
            CHECK(ilogb##S(x) == __model_ilogb##S(x), "ilogb" #S " " format, x);                      \
            CHECK(fpclassify(x) == __model___fpclassify##S(x), "fpclassify" #S " " format, x);        \
        }                                                                                             \
    }
FLOATS(float, f, "%a")
FLOATS(double, , "%a")
FLOATS(long double, l, "%La")

// Formatted input against `sscanf` on the same text.
extern const char *cairn_input;
extern int __cairn_stdin_ended;
extern int __cairn_pushed;
int __model_scanf(const char *, ...);
static void scanning(void) {
    static const char *const texts[] = {"12 abc 3.5 x", "-7\n0x1f 077 9", "", "  ", "abc", "12abc", "1,2;3", "99999999999", "+5-6", "[ab] c", "%12"};
    static const char *const formats[] = {"%d", "%d %s", "%d%n", "%i %i", "%3d%d", "%*d %s", "%c%c", "%5s", "%[a-c]%d", "%d,%d;%d", "%u", "%x%n", "%%%d", "%hd %hhd"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t j = 0; j < sizeof formats / sizeof *formats; j++) {
            char a[3][64], b[3][64];
            memset(a, 0, sizeof a), memset(b, 0, sizeof b);
            int n = sscanf(texts[i], formats[j], a[0], a[1], a[2]);
            cairn_input = texts[i], __cairn_pushed = -1, __cairn_stdin_ended = 0;
            int m = __model_scanf(formats[j], b[0], b[1], b[2]);
            CHECK(n == m && memcmp(a, b, sizeof a) == 0, "scanf(\"%s\") of \"%s\": %d %d", formats[j], texts[i], n, m);
        }
}

int main(void) {
    test_strtol(), test_strtoul(), test_strtoll(), test_strtoull();
    strings(), characters(), sorting(), scanning();
    floatsf(), floats(), floatsl();
    return bad;
}
