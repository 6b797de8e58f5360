// As the safe twin; the error is reached if each of these functions does its work.
#include <assert.h>

typedef __SIZE_TYPE__ size_t;
extern void *__builtin_memcpy(void *, const void *, size_t);
extern void *__builtin_memset(void *, int, size_t);
extern void *__builtin_alloca(size_t);
extern void *__builtin_malloc(size_t);
extern void *__memcpy_chk(void *, const void *, size_t, size_t);

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), copy = 0, zero = 1;
    int *stack = __builtin_alloca(sizeof x), *heap = __builtin_malloc(sizeof x);
    __builtin_memcpy(&copy, &x, sizeof x);
    __builtin_memset(&zero, 0, sizeof zero);
    __memcpy_chk(stack, &copy, sizeof x, sizeof x);
    *heap = *stack + zero;
    assert(*heap != 4711);
    return 0;
}
