// Alignment beyond that of the type is nobody's promise.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int x;
    if ((uintptr_t)&x % 16 == 4)
        reach_error();
    return 0;
}
