// Shift of a 32-bit value by 32.
#include <stdio.h>

static unsigned bit(int n) { return 1u << n; }

int main(void) {
    printf("%u\n", bit(32));
    return 0;
}
