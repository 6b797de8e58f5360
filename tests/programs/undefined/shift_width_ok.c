// Shift of a 32-bit value by 31.
#include <stdio.h>

static unsigned bit(int n) { return 1u << n; }

int main(void) {
    printf("%u\n", bit(31));
    return 0;
}
