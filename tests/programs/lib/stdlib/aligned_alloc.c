// Aligned memory is memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = aligned_alloc(16, 32);
    void *q;
    int r = posix_memalign(&q, 32, 10), bad = posix_memalign(&q, 3, 10);
    memset(p, __VERIFIER_nondet_int(), 32);
    printf("%d %d %d\n", p[31] == p[0], r, bad != 0);
    free(p);
    return 0;
}
