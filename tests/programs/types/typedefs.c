// Typedefs: shadowing, of functions and arrays, in every scope, redeclared.
#include <stdio.h>

typedef int number;
typedef int number;
typedef number vec[3];
typedef int fn(int);
typedef struct node node;
struct node { int v; node *next; };
fn twice;
int twice(int x) { return x * 2; }
typedef const char *text;

int main(void) {
    number number = 5;
    {
        typedef char number;
        printf("%zu ", sizeof(number));
    }
    printf("%d\n", number);
    vec v = {1, 2, 3};
    const vec *cv = &v;
    fn *f = twice;
    printf("%d %zu %d\n", f((*cv)[2]), sizeof(vec), v[0]);
    node a = {1, 0}, b = {2, &a};
    printf("%d\n", b.next->v);
    typedef int T, *PT, AT[2];
    T t = 4;
    PT pt = &t;
    AT at = {*pt, 6};
    struct T { T T; } s = {at[1]};
    printf("%d %d\n", s.T, at[0]);
    text x = "ro";
    x++;
    printf("%s\n", x);
    { int T = 3; printf("%d\n", (T) + 1); }
    unsigned typedef long ul;
    printf("%d\n", sizeof(ul) == sizeof(long));
    return 0;
}
