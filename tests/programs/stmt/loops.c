// All loops with break, continue, comma, empty parts and declarations in the head.
#include <stdio.h>

int main(void) {
    int a = 0, b = 0;
    for (int i = 0, j = 10; i < j; i++, j--) a += i * j;
    for (;;) {
        if (++b > 7) break;
        if (b % 2) continue;
        a += b;
    }
    do {
        b--;
        if (b == 3) continue;
        a += 100;
    } while (b > 0);
    while (a > 50)
        if (a % 2) a = a * 3 / 4;
        else a -= 7;
    printf("%d %d\n", a, b);
    int k = 0;
    do k++; while (0);
    for (unsigned char c = 250; c != 3; c++) k += c;
    for (int i = 3; i--;) k = k * 2 + i;
    printf("%d\n", k);
    int n = 5, f = 1;
    while (n) f *= n--;
    printf("%d\n", f);
    return 0;
}
