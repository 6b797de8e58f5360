// Conversions are counted, and what was not read is not stored.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int x = 1, y = 1;
    int n = scanf("%d %d", &x, &y);
    if (n < -1 || n > 2 || n == 0 && x != 1 || n == 1 && y != 1)
        reach_error();
    if (n == 2 && x > 10 && y > x && y < 12)
        reach_error();
    printf("%d %d %d\n", n, x, y);
    return 0;
}
