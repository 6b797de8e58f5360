// Memory that was freed may be given out again.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    char *p = malloc(24);
    uintptr_t old = (uintptr_t)p;
    free(p);
    char *q = malloc(24);
    if (q && old == (uintptr_t)q)
        reach_error();
    return 0;
}
