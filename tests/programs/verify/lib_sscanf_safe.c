// A number read from text.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    int x = 0, n = sscanf("17 rest", "%d", &x);
    if (n != 1 || x != 17)
        reach_error();
    return 0;
}
