// Conditional with omitted operand, empty struct, case ranges, arithmetic on void and function pointers.
#include <stdio.h>

struct empty {};
static int f(void) { return 3; }

int main(void) {
    struct empty e, arr[3];
    printf("%zu %zu\n", sizeof e, sizeof arr);
    void *p = "hello";
    printf("%s %zu\n", (char *)(p + 2), sizeof *p);
    printf("%d\n", (&f == f) + (*f)());
    int x = 4;
    printf("%d\n", x ?: 1 / 0);
    __extension__ int y = ({ int t = x; t * 2; });
    printf("%d %c\n", y, '\e' == 27 ? 'e' : '-');
    int $dollar = 5;
    printf("%d\n", $dollar);
    int multi[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%d\n", sizeof(multi) / sizeof(*multi) == 2);
    printf("%d %d\n", __COUNTER__, __COUNTER__ > 0);
    unsigned long long int typedef ull;
    ull q = 1ull << 63;
    printf("%llu\n", q);
    int a = 1, b = 2;
    (a < b ? &a : &b)[0] = 9;
    printf("%d\n", a);
    if ((x = 5, x) == 5) ;
    else return 1;
    return 0;
}
