// No object goes round the end of the address space.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    char *p = malloc(100);
    if (!p)
        return 0;
    uintptr_t n = (uintptr_t)p;
    if (n + 100 < n || n + 100 == 0)
        reach_error();
    return 0;
}
