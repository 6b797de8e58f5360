// Function pointers: tables, parameters, results, comparisons, calls with and without *.
#include <stdio.h>

typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static op pick(char c) { return c == '+' ? add : c == '-' ? sub : c == '*' ? mul : 0; }
static int apply(int f(int, int), int a, int b) { return f(a, b); }
static int (*twice(int (*f)(int, int)))(int, int) { return f; }
struct ops { op fs[3]; int (*single)(void); };
static int seven(void) { return 7; }

int main(void) {
    const char *cs = "+-*";
    for (int i = 0; cs[i]; i++) printf("%d %d %d\n", pick(cs[i])(6, 3), (*pick(cs[i]))(6, 3), (***pick(cs[i]))(6, 3));
    printf("%d %d\n", apply(add, 1, 2), apply(&mul, 3, 4));
    printf("%d %d %d\n", pick('/') == 0, pick('+') == add, pick('+') == &sub);
    printf("%d\n", twice(sub)(10, 4));
    struct ops o = {{add, sub, mul}, seven}, *p = &o;
    printf("%d %d\n", p->fs[2](5, 6), p->single());
    op arr[2][2] = {{add, sub}, {mul, add}};
    int s = 0;
    for (int i = 0; i < 4; i++) s = s * 10 + arr[i / 2][i % 2](2, 1);
    printf("%d\n", s);
    printf("%d\n", (s ? add : sub)(1, 1));
    return 0;
}
