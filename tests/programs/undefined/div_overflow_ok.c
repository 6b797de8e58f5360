// -INT_MAX / -1 fits.
#include <limits.h>

static int divide(int a, int b) { return a / b; }

int main(void) { return divide(-INT_MAX, -1) == INT_MAX; }
