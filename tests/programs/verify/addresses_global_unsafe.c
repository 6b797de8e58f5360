// Where static data lies is not known.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x = 5;
int *p = &x;

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    if ((uintptr_t)p % 32 == 12)
        reach_error();
    return 0;
}
