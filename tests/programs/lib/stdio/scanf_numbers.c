// Numbers from standard input in several bases.
#include <stdio.h>

int main(void) {
    int a = -1, b = -1, c = -1;
    unsigned x = 9;
    int n = scanf("%d %d %x %i", &a, &b, &x, &c);
    printf("%d %d %d %u %d\n", n, a, b, x, c);
    return 0;
}
