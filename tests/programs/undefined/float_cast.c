// A float too large for int is converted.
#include <stdio.h>

static int round_down(double d) { return (int)d; }

int main(void) {
    printf("%d\n", round_down(3e9));
    return 0;
}
