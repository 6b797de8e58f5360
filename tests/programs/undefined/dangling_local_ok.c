// A pointer to a static local.
#include <stdio.h>

static int *leak(int v) {
    static int x;
    int *p = &x;
    *p = v;
    return p;
}

int main(void) {
    int *p = leak(4);
    printf("%d\n", *p);
    return 0;
}
