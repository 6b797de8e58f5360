// Sorting records keeps them whole.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int by_rank(const void *a, const void *b) {
    return ((const short *)a)[1] - ((const short *)b)[1];
}

int main(void) {
    struct item { char name; short rank; double weight; } a[6];
    for (int i = 0; i < 6; i++) {
        a[i].name = (char)('a' + i);
        a[i].rank = (short)(__VERIFIER_nondet_int() * 6 + i);
        a[i].weight = a[i].rank / 4.0;
    }
    qsort(a, 6, sizeof *a, by_rank);
    for (int i = 0; i < 6; i++)
        printf("%c %d %g\n", a[i].name, a[i].rank, a[i].weight);
    return 0;
}
