// Built-in functions that the program declares itself keep their meaning: none of these facts fails.
#include <assert.h>

typedef __SIZE_TYPE__ size_t;
extern long __builtin_expect(long, long);
extern size_t __builtin_strlen(const char *);
extern void __builtin_unreachable(void);
extern void __builtin_abort(void);
extern void __builtin_trap(void);
extern int __builtin_abs(int);
extern int __builtin_clz(unsigned);
extern unsigned __builtin_bswap32(unsigned);
extern int __builtin_isnan(double);
extern double __builtin_inf(void);
extern int __builtin_constant_p(int);
extern size_t __builtin_object_size(const void *, int);

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    char text[8] = "abc";
    if (x < 0)
        __builtin_abort();
    if (__builtin_expect(x > 1000, 0))
        __builtin_trap();
    if (x > 2000)
        __builtin_unreachable();
    assert(x >= 0 && x <= 1000);
    assert(__builtin_strlen(text) == 3);
    assert(__builtin_abs(-x) == x);
    assert(__builtin_clz(1) == 31);
    assert(__builtin_bswap32(0x01020304) == 0x04030201);
    assert(!__builtin_isnan(x));
    assert(__builtin_inf() > x);
    assert(__builtin_constant_p(3) && !__builtin_constant_p(x));
    assert(__builtin_object_size(text, 0) == 8);
    return 0;
}
