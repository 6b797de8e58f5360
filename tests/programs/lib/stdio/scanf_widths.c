// Widths limit what is read.
#include <stdio.h>

int main(void) {
    int a = 0, b = 0;
    char c[4] = "";
    int n = scanf("%2d%3d%3c", &a, &b, c);
    printf("%d %d %d %.3s\n", n, a, b, c);
    return 0;
}
