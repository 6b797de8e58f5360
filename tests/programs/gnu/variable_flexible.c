// A member of variable length before a flexible one.
#include <stdio.h>

int main(void) {
    int n = 3;
    struct { int k; int v[n]; int rest[]; } s;
    s.k = 1;
    s.v[2] = 5;
    printf("%d %d %d\n", s.k, s.v[2], (int)sizeof s);
    return 0;
}
