// An address in static data, and one in an integer.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x = 5;
int *p = &x;
uintptr_t n = (uintptr_t)&x;

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    if (*p != 5 || (uintptr_t)p != n || (uintptr_t)p % sizeof(int) != 0)
        reach_error();
    return 0;
}
