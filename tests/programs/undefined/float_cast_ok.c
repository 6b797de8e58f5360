// The float fits.
#include <stdio.h>

static int round_down(double d) { return (int)d; }

int main(void) {
    printf("%d\n", round_down(2e9));
    return 0;
}
