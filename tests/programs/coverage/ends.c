// Executions that end in every way: return, exit, abort, a failing assertion, a null pointer.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int *p = x == 5 ? 0 : &x;
    if (x == 1)
        exit(3);
    if (x == 2)
        abort();
    assert(x != 3);
    if (x == 4)
        reach_error();
    if (*p == 5)
        return 1;
    return 0;
}
