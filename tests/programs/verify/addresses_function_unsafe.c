// Nobody knows where functions lie.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int f(void) {
    return 1;
}
int g(void) {
    return 2;
}

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    if ((uintptr_t)f < (uintptr_t)g)
        reach_error();
    return 0;
}
