// A local is read on a path where it was not set.
#include <stdio.h>

static int f(int x) {
    int y;
    if (x > 0) y = x * 2;
    if (x != 0) return y + 1;
    return 0;
}

int main(void) {
    printf("%d\n", f(-5));
    return 0;
}
