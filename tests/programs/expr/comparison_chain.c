// Comparisons of pointers, of mixed integer types, and of floats with NaN.
#include <stdio.h>
#include <math.h>

int main(void) {
    int a[5], *p = a, *q = a + 3;
    printf("%d %d %d %d %d %d\n", p < q, p > q, p <= q, p >= q, p == q, p != q);
    printf("%d %d %d\n", p == 0, &a[0] == a, (void *)a == (void *)&a);
    double n = NAN, inf = INFINITY;
    printf("%d %d %d %d %d %d\n", n < 1, n > 1, n <= 1, n >= 1, n == n, n != n);
    printf("%d %d %d\n", inf > 1e308, -inf < inf, inf == inf);
    printf("%d %d\n", 0.0 == -0.0, 1 / 0.0 == 1 / -0.0);
    printf("%d %d\n", 16777217 == 16777217.0f, 16777217 == (float)16777217);
    printf("%d\n", (unsigned)-1 == -1.0);
    printf("%d\n", (long long)-1 < 0u);
    printf("%d\n", !(n > 0) && !(n <= 0));
    return 0;
}
