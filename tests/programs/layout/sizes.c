// Sizes and alignments of the basic types and of common aggregates.
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
#include <stdarg.h>

enum small { A, B };
enum wide { BIG = 0x1ffffffffLL };
struct empty {};
struct arr { short a[3]; char b[2][5]; };

#define SHOW(t) printf(#t " %zu\n", sizeof(t))

int main(void) {
    SHOW(char); SHOW(short); SHOW(int); SHOW(long); SHOW(long long); SHOW(float); SHOW(double);
    SHOW(long double); SHOW(void *); SHOW(size_t); SHOW(ptrdiff_t); SHOW(intmax_t); SHOW(wchar_t);
    SHOW(enum small); SHOW(enum wide); SHOW(struct empty); SHOW(struct arr); SHOW(_Bool);
    SHOW(int[7]); SHOW(int (*)[7]); SHOW(int *[7]); SHOW(void (*)(int)); SHOW(va_list);
    printf("%zu %zu %zu\n", sizeof 'a', sizeof "abc", sizeof L"abc");
    printf("%zu %zu %zu %zu\n", sizeof 1, sizeof 1L, sizeof 1.0f, sizeof 2147483648);
    printf("%zu\n", sizeof(void));
    printf("%zu\n", sizeof(main));
    return 0;
}
