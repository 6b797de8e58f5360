// alignas, the aligned attribute on types, members and objects.
#include <stdio.h>
#include <stdint.h>

struct __attribute__((aligned(16))) big { int x; };
struct member { char c; _Alignas(8) char d; };
struct nested { char c; struct big b; };
typedef int aligned_int __attribute__((aligned(32)));
_Alignas(64) static char buffer[3];
aligned_int global;

int main(void) {
    _Alignas(16) char local;
    printf("%zu %zu\n", sizeof(struct big), _Alignof(struct big));
    printf("%zu %zu\n", sizeof(struct member), _Alignof(struct member));
    printf("%zu %zu\n", sizeof(struct nested), _Alignof(struct nested));
    printf("%zu\n", _Alignof(aligned_int));
    printf("%d %d %d\n", (int)((uintptr_t)buffer % 64), (int)((uintptr_t)&global % 32), (int)((uintptr_t)&local % 16));
    printf("%zu %zu %zu\n", _Alignof(double), _Alignof(long long), _Alignof(long double));
    struct d { char c; double d; };
    struct l { char c; long long l; };
    struct ld { char c; long double l; };
    printf("%zu %zu %zu\n", sizeof(struct d), sizeof(struct l), sizeof(struct ld));
    return 0;
}
