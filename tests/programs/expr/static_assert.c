// _Static_assert in all positions, and constant expressions of all kinds.
#include <stddef.h>
#include <limits.h>
#include <assert.h>

_Static_assert(sizeof(int) == 4, "int");
_Static_assert(1);
struct s { char c; _Static_assert(CHAR_BIT == 8, "byte"); int i; };
_Static_assert(offsetof(struct s, i) == 4, "offset");
enum { A = 1 << 4, B, C = A * 2 + (B > A ? 3 : 1), D = -1, E = sizeof(struct s), F = (int)3.9, G = 'a' == 97 };
static_assert(C == 35 && B == 17 && D < 0 && F == 3 && G, "enumerators");
_Static_assert((unsigned)-1 > 0 && -1 < 0 && (char)0x1ff == -1, "conversions");
_Static_assert(__builtin_types_compatible_p(int, signed), "types");
_Static_assert(10 / 3 * 3 + 10 % 3 == 10 && (5 & 3) == 1 && (5 ^ 3) == 6 && ~0 == -1, "operators");
_Static_assert(!0 && (0 || 2) && (1 ? 1 : 1 / 0), "logic");
int array[(C - 30) * 2];
struct b { int f : E - 4; };

int main(void) {
    _Static_assert(sizeof array == 40, "array");
    switch (C) {
    case A + B + 2: return 1;
    }
    return 0;
}
