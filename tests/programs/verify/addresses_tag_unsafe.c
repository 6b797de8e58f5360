// More bits than the alignment leaves free are not free.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int x;
    uintptr_t word = (uintptr_t)&x;
    if (word & 4)
        reach_error();
    return 0;
}
