// The error path is not taken after the free.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    if (!p) return 1;
    p[0] = 1;
    free(p);
    return 0;
fail:
    free(p);
    return 2;
}
