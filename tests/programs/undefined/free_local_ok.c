// Only heap memory is freed.
#include <stdlib.h>

int main(void) {
    char small[4] = "abc", *big = malloc(4);
    char *p = big;
    p[0] = small[0];
    free(p);
    return 0;
}
