// The loop stops before the divisor is zero.
#include <stdio.h>

int main(void) {
    int s = 0;
    for (int d = 3; d >= 1; d--) s += 100 / d;
    printf("%d\n", s);
    return 0;
}
