// A comparison with a context. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b, void *calls) {
    ++*(int *)calls;
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

int main(void) {
    int a[7], calls = 0;
    for (int i = 0; i < 7; i++)
        a[i] = __VERIFIER_nondet_int();
    qsort_r(a, 7, sizeof *a, compare, &calls);
    for (int i = 0; i < 7; i++)
        printf("%d ", a[i]);
    printf("%d\n", calls > 0);
    return 0;
}
