// Negating the least value overflows.
#include <limits.h>

int main(void) {
    long long x = LLONG_MIN;
    if (x < 0) x = -x;
    return x > 0;
}
