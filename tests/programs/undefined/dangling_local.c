// A pointer to a local of a function that has returned.
#include <stdio.h>

static int *leak(int v) {
    int x;
    int *p = &x;
    *p = v;
    return p;
}

int main(void) {
    int *p = leak(4);
    printf("%d\n", *p);
    return 0;
}
