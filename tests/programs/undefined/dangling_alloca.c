// Memory from alloca is gone when the function has returned.
#include <stdlib.h>

static char *make(void) {
    char *p = __builtin_alloca(4);
    p[0] = 5;
    return p;
}

int main(void) {
    char *p = make();
    int r = p[0];
    free(p);
    return r;
}
