// A pointer into the middle of a block is freed.
#include <stdlib.h>

int main(void) {
    char *start = malloc(10), *p = start;
    while (p < start + 5) *p++ = 1;
    free(p);
    return 0;
}
