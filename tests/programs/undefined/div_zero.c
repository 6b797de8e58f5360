// Division by a zero that a loop counts down to.
#include <stdio.h>

int main(void) {
    int s = 0;
    for (int d = 3; d >= 0; d--) s += 100 / d;
    printf("%d\n", s);
    return 0;
}
