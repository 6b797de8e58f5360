// Linear search, with and without insertion.
#include <stdio.h>
#include <search.h>

extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b) {
    return *(const int *)a != *(const int *)b;
}

int main(void) {
    int a[8] = {5, 1, 4};
    size_t n = 3;
    for (int i = 0; i < 4; i++) {
        int key = __VERIFIER_nondet_int() & 7;
        int *p = lfind(&key, a, &n, sizeof *a, compare);
        printf("%d ", p ? (int)(p - a) : -1);
        p = lsearch(&key, a, &n, sizeof *a, compare);
        printf("%d %zu\n", (int)(p - a), n);
    }
    return 0;
}
