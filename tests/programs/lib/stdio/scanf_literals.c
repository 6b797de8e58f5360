// Literal text must be there.
#include <stdio.h>

int main(void) {
    int d = 0, m = 0, y = 0;
    int r = scanf("%d-%d-%d", &d, &m, &y);
    printf("%d %d %d %d\n", r, d, m, y);
    printf("%d\n", getchar());
    return 0;
}
