// Signed addition overflows.
#include <limits.h>

static int inc(int x) { return x + 1; }

int main(void) { return inc(INT_MAX) < 0; }
