// Old GNU syntax: `field:` designators, `[i]` without `=`, empty braces, unions by cast.
#include <stdio.h>

struct s { int a, b; };
union u { int i; double d; };

int main(void) {
    struct s s = {b: 2, a: 1};
    int v[4] = {[1] 5, [3] 6};
    struct s z = {};
    int e[3] = {};
    union u u = (union u)2.5;
    printf("%d %d %d %d %d %d %d %g\n", s.a, s.b, v[1], v[3], z.a, z.b, e[2], u.d);
    struct s a[] = {{b: 7}, [2] = {a: 9}};
    printf("%zu %d %d\n", sizeof a / sizeof *a, a[0].b, a[2].a);
    return 0;
}
