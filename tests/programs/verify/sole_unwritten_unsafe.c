// What nobody has written is any byte: a run in which it is zero is no proof.
#include <stdlib.h>
void reach_error(void);

int main(void) {
    unsigned char *p = malloc(4);
    if (!p)
        return 0;
    p[0] = 1;
    if (p[2] == 9)
        reach_error();
    return 0;
}
