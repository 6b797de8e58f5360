// typeof of expressions and types, __auto_type, and declarations built from them.
#include <stdio.h>

int main(void) {
    int x = 5;
    typeof(x) y = 6;
    __typeof__(&x) p = &y;
    typeof(int[3]) arr = {1, 2, 3};
    typeof(arr[0] + 1.5) d = 2.5;
    __auto_type z = (unsigned char)250;
    z += 10;
    typeof(typeof(char *)[4]) strs = {"a", "b", "c", "d"};
    const int c = 3;
    typeof(c) e = 4;
    typeof(*p) *q = &x;
    int n = 0;
    typeof(n++) m = 9;
    printf("%d %d %zu %g %d %s %d %d %d %d\n", *p, *q, sizeof arr, d, z, strs[2], e, n, m, arr[2]);
    typeof(printf) *out = printf;
    out("%zu %zu\n", sizeof(typeof(1LL)), sizeof(typeof((short)1 + (short)1)));
    return 0;
}
