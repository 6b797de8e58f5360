// Sorting numbers up and down.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int up(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int down(const void *a, const void *b) {
    return up(b, a);
}

int main(void) {
    int a[9];
    for (int i = 0; i < 9; i++)
        a[i] = __VERIFIER_nondet_int();
    qsort(a, 9, sizeof *a, up);
    for (int i = 0; i < 9; i++)
        printf("%d ", a[i]);
    qsort(a, 9, sizeof *a, down);
    for (int i = 0; i < 9; i++)
        printf("%d ", a[i]);
    putchar('\n');
    return 0;
}
