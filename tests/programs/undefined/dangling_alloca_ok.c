// Memory from malloc stays.
#include <stdlib.h>

static char *make(void) {
    char *p = malloc(4);
    p[0] = 5;
    return p;
}

int main(void) {
    char *p = make();
    int r = p[0];
    free(p);
    return r;
}
