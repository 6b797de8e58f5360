// _Generic selects by type after decay, with default and nested selections.
#include <stdio.h>

struct s { int x; };
enum e { E };

#define KIND(x) _Generic((x), \
    char *: "char*", const char *: "const char*", int *: "int*", void *: "void*", \
    struct s: "struct s", struct s *: "struct s*", double (*)(double): "fn", \
    unsigned: "unsigned", int: "int", short: "short", _Bool: "bool", float: "float", default: "?")

static double f(double x) { return x * 2; }

int main(void) {
    int a[3] = {0};
    const char *cs = "x";
    char buf[2];
    struct s s = {1};
    const int ci = 3;
    printf("%s %s %s %s\n", KIND(a), KIND(cs), KIND(buf), KIND("lit"));
    printf("%s %s %s %s\n", KIND(s), KIND(&s), KIND(f), KIND(ci));
    printf("%s %s %s %s\n", KIND((short)1), KIND((_Bool)1), KIND(1.0f), KIND(1.0L));
    printf("%s %s\n", KIND((void *)0), KIND((enum e)E));
    int x = _Generic(1, int: 5, default: *(int *)0);
    printf("%d %zu\n", x, sizeof(_Generic(0, int: (char)1)));
    printf("%g\n", _Generic(1.0, double: f, int: (double (*)(double))0)(21));
    return 0;
}
