// An allocation of a size that nobody has set.
#include <stdlib.h>
int main(void) {
    unsigned long n[2];
    n[0] = 4;
    char *p = malloc(n[1] % 16 + n[0]);
    free(p);
    return 0;
}
