// Alignment that is asked for is given.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    static char s[3] __attribute__((aligned(64)));
    char *p = aligned_alloc(128, 256);
    if ((uintptr_t)s % 64 != 0 || (p && (uintptr_t)p % 128 != 0))
        reach_error();
    return 0;
}
