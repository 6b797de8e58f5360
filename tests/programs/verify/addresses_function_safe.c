// Functions have addresses of their own.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x;
int f(void) {
    return 1;
}
int g(void) {
    return 2;
}

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    uintptr_t m = (uintptr_t)f, n = (uintptr_t)g;
    if (m == 0 || m == n || m == (uintptr_t)&x)
        reach_error();
    int (*p)(void) = (int (*)(void))m;
    if (p() != 1)
        reach_error();
    return 0;
}
