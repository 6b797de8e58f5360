// Operator precedence and associativity, side effects at sequence points.
#include <stdio.h>

int main(void) {
    int a = 5, b = 3, c = 2;
    printf("%d %d %d %d\n", a - b - c, a - (b - c), a << b >> c, a & b | c ^ a);
    printf("%d %d %d\n", a == b != c, a < b < c, !a == b);
    printf("%d %d\n", -a % b, ~a + c * b / c);
    int x, y, z;
    x = y = z = 7;
    x += y -= z *= 2;
    printf("%d %d %d\n", x, y, z);
    int k = (a++, b++, a + b);
    printf("%d %d %d\n", k, a, b);
    printf("%d\n", a > b ? b > c ? 1 : 2 : 3);
    int t[3] = {1, 2, 3}, *p = t;
    printf("%d ", *p++);
    printf("%d ", ++*p);
    printf("%d ", *++p);
    printf("%d\n", p[-1]);
    int calls = 0;
    (calls++ && calls++) || (calls += 10);
    printf("%d %d\n", calls, 0 && calls++);
    printf("%d\n", calls);
    printf("%d %d\n", sizeof(int) * 2 == sizeof(int[2]), (int)sizeof a++);
    printf("%d %d\n", a, - -a);
    return 0;
}
