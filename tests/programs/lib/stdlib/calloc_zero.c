// Cleared memory, and sizes that no object has.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = (__VERIFIER_nondet_int() & 7) + 1, sum = 0;
    int *a = calloc(n, sizeof *a);
    for (int i = 0; i < n; i++)
        sum += a[i] == 0;
    printf("%d %d\n", n, sum);
    void *volatile p = calloc(SIZE_MAX / 2, 4);
    printf("%d\n", p == 0);
    free(a);
    return 0;
}
