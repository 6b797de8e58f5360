// The pointer is checked before use.
#include <stdio.h>

static int get(int *p) { return *p; }

int main(void) {
    int x = 7;
    int *p = &x;
    printf("%d\n", x);
    fflush(stdout);
    printf("%d\n", get(p));
    return 0;
}
