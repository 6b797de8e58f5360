// Without inputs there is one execution: a number is read from a text and written to one.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[32], *end;
    double x = strtod("  -12.5e1xyz", &end);
    assert(x == -125.0 && strcmp(end, "xyz") == 0);
    int n = snprintf(text, sizeof text, "%.3f", x);
    assert(n == 8 && strcmp(text, "-125.000") == 0);
    return 0;
}
