// A null pointer is read through.
#include <stdio.h>

static int get(int *p) { return *p; }

int main(void) {
    int x = 7;
    int *p = 0;
    printf("%d\n", x);
    fflush(stdout);
    printf("%d\n", get(p));
    return 0;
}
