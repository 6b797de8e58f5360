// A standard assertion.
extern int __VERIFIER_nondet_int(void);

#include <assert.h>

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x < 0 ? -(x + 1) : x;
    assert(y >= 0);
    return 0;
}
