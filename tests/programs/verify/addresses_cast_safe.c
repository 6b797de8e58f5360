// A pointer as an integer: what alignment says of it.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int x;
    char *p = malloc(5);
    if ((uintptr_t)&x % sizeof(int) != 0)
        reach_error();
    if (p && (uintptr_t)p % 8 != 0)
        reach_error();
    if ((uintptr_t)&x == 0 || (p && !(uintptr_t)p))
        reach_error();
    return 0;
}
