// Infinity, hexadecimal floats, things that are no numbers.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static const char *const texts[] = {"inf", "-INFINITY", "infinite", "0x1.8p3", "0x", "1e", "1e+", ".5.5", "-.", "  +7"};
    for (int i = 0; i < 10; i++) {
        char *e;
        double d = strtod(texts[i], &e);
        printf("%g [%s]\n", d, e);
    }
    return 0;
}
