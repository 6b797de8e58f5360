// All blocks are freed.
#include <stdlib.h>

int main(void) {
    char *a = malloc(10), *b = malloc(20);
    if (a) a[0] = 1;
    if (b) b[0] = 2;
    free(a); free(b);
    return 0;
}
