// A switch on what nobody has set.
#include <stdlib.h>
int main(void) {
    short *p = malloc(4 * sizeof *p);
    if (!p) return 0;
    short v = p[2];
    switch (v) {
    case 1: return 1;
    case 2: return 2;
    }
    free(p);
    return 0;
}
