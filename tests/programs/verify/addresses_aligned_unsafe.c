// No more alignment than was asked for.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    static char s[3] __attribute__((aligned(64)));
    if ((uintptr_t)s % 128 == 64)
        reach_error();
    return 0;
}
