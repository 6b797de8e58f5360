// Access inside a block that realloc made smaller.
#include <stdlib.h>

int main(void) {
    char *p = calloc(8, 1);
    p = realloc(p, 3);
    p[2] = 1;
    int r = p[2];
    free(p);
    return r;
}
