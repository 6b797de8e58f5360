// An error path frees twice.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    if (!p) return 1;
    p[0] = 1;
    free(p);
    goto fail;
fail:
    free(p);
    return 2;
}
