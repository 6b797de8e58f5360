// The place of a local is free when its life ends.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    uintptr_t first, second;
    {
        int x = 1;
        first = (uintptr_t)&x;
    }
    {
        int y = 2;
        second = (uintptr_t)&y;
    }
    if (first == second)
        reach_error();
    return 0;
}
