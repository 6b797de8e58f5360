// Reading until the end.
#include <stdio.h>

int main(void) {
    int sum = 0, x, n = 0, r;
    while ((r = scanf("%d", &x)) == 1) {
        sum += x;
        n++;
    }
    printf("%d %d %d %d\n", n, sum, r, feof(stdin) != 0);
    return 0;
}
