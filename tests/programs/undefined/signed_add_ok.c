// Signed addition reaches the maximum.
#include <limits.h>

static int inc(int x) { return x + 1; }

int main(void) { return inc(INT_MAX - 1) < 0; }
