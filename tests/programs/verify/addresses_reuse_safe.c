// What is allocated at the same time lies apart.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    char *p = malloc(24), *q = malloc(24);
    if (!p || !q)
        return 0;
    uintptr_t m = (uintptr_t)p, n = (uintptr_t)q;
    if (m < n + 24 && n < m + 24)
        reach_error();
    free(p);
    free(q);
    return 0;
}
