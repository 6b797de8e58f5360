// INT_MIN / -1 does not fit.
#include <limits.h>

static int divide(int a, int b) { return a / b; }

int main(void) { return divide(INT_MIN, -1) == INT_MAX; }
