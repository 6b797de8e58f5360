// Heap memory of n bytes is used for n ints.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 5;
    int *p = malloc(n);
    if (!p) return 1;
    for (int i = 0; i < n; i++) p[i] = i;
    printf("%d\n", p[4]);
    free(p);
    return 0;
}
