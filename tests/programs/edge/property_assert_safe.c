// The error function is called, but no assertion fails; the property asks for assertions.
#include <assert.h>

int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 5)
        reach_error();
    assert(x != 5 || x > 4);
    return 0;
}
