// The vocabulary of the models on the real machine, as far as they need it here.
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__cairn_alloc(size_t n) { return malloc(n); }
void *__cairn_alloc_zeroed(size_t n) { return calloc(n, 1); }
void __cairn_free(void *p) { free(p); }
void __cairn_copy(void *d, const void *s, size_t n) { memcpy(d, s, n); }
void __cairn_move(void *d, const void *s, size_t n) { memmove(d, s, n); }
void __cairn_fill(void *d, int b, size_t n) { memset(d, b, n); }
float __cairn_strtof(const char *t, char **e) { return strtof(t, e); }
double __cairn_strtod(const char *t, char **e) { return strtod(t, e); }
long double __cairn_strtold(const char *t, char **e) { return strtold(t, e); }

// An area is a list of its own.
struct list { va_list ap; };
void *__cairn_va_area(va_list ap) {
    struct list *list = malloc(sizeof *list);
    va_copy(list->ap, ap);
    return list;
}
int __cairn_input_ferror(void) { return 0; }
int __cairn_input_errno(void) { return EIO; }

const char *cairn_input = "";
short __cairn_input_stdin(void) { return *cairn_input ? (unsigned char)*cairn_input++ : -1; }
short __cairn_input_file(void) { return -1; }
void __cairn_assume(int holds) { if (!holds) __builtin_trap(); }

#define SHIM(T, P, S)                                                       \
    T __cairn_fabs##P(T x) { return fabs##S(x); }                           \
    T __cairn_trunc##P(T x) { return trunc##S(x); }                         \
    T __cairn_copysign##P(T x, T y) { return copysign##S(x, y); }           \
    int __cairn_isnan##P(T x) { return isnan(x); }                          \
    int __cairn_isinf##P(T x) { return isinf(x) != 0; }
SHIM(float, _f, f)
SHIM(double, _d, )
SHIM(long double, _l, l)
