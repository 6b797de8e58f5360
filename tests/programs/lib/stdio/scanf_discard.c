// Fields that are passed over, and the count.
#include <stdio.h>

int main(void) {
    int a = 0, n = -1;
    int r = scanf("%*d %*s %d%n", &a, &n);
    printf("%d %d %d\n", r, a, n);
    return 0;
}
