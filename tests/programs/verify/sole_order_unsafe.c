// Which of two objects lies first is open: one run is no proof.
#include <stdlib.h>
void reach_error(void);

int main(void) {
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    if (p && q && p > q)
        reach_error();
    return 0;
}
