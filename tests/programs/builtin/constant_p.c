// Compile-time questions: constant_p on literals, choose_expr, types_compatible_p.
#include <stdio.h>

typedef int integer;
struct s { int x; };
enum e { A };

int main(void) {
    printf("%d %d %d\n", __builtin_constant_p(5), __builtin_constant_p("text"), __builtin_constant_p(2 * 3 + 1));
    int n = __builtin_choose_expr(1, 5, (void)0);
    printf("%d %zu\n", n, sizeof(__builtin_choose_expr(0, 1, 'c' + 0LL)));
    printf("%d%d%d%d%d%d\n", __builtin_types_compatible_p(int, integer), __builtin_types_compatible_p(int, long),
           __builtin_types_compatible_p(int[], int[5]), __builtin_types_compatible_p(const int, int),
           __builtin_types_compatible_p(int *, const int *), __builtin_types_compatible_p(struct s, struct s));
    printf("%d%d\n", __builtin_types_compatible_p(char, signed char), __builtin_types_compatible_p(typeof(&n), int *));
    printf("%zu\n", __builtin_offsetof(struct { char c; int v[3]; }, v[1]));
    return 0;
}
