// As the safe twin, but the text is longer than it looks.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[32];
    int n = snprintf(text, sizeof text, "%g", strtod("0.1", 0) * 3);
    assert(n == 4);
    return 0;
}
