// Locals that live at once lie apart, also in a function that is called.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

uintptr_t other(int *outer) {
    int inner = *outer;
    return (uintptr_t)&inner;
}

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int x = 1;
    if (other(&x) == (uintptr_t)&x)
        reach_error();
    return 0;
}
