// Memory from malloc is branched on before it is set.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof(int)), n = 0;
    if (!p) return 1;
    for (int i = 0; i < 4; i++)
        if (p[i] > 0) n++;
    free(p);
    return n;
}
