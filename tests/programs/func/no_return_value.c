// A non-void function may end without a value as long as nobody uses it; main returns 0.
#include <stdio.h>

static int maybe(int x) {
    if (x) return x * 2;
}

int main(void) {
    maybe(0);
    printf("%d\n", maybe(4));
}
