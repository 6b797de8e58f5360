// Binary search, found and not found.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

int main(void) {
    int a[8] = {-40, -3, 0, 2, 9, 17, 100, 4000};
    for (int i = 0; i < 5; i++) {
        int key = i < 3 ? a[__VERIFIER_nondet_int() & 7] : __VERIFIER_nondet_int();
        int *p = bsearch(&key, a, 8, sizeof *a, compare);
        printf("%d\n", p ? (int)(p - a) : -1);
    }
    printf("%d\n", bsearch(a, a, 0, sizeof *a, compare) == 0);
    return 0;
}
