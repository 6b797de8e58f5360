// Where a number ends.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    char *e;
    long v = strtol("12x", &e, 10);
    if (v != 12 || *e != 'x')
        reach_error();
    return 0;
}
