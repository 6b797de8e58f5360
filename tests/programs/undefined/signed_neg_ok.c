// Negating the next value fits.
#include <limits.h>

int main(void) {
    long long x = LLONG_MIN + 1;
    if (x < 0) x = -x;
    return x > 0;
}
