// The square root of a negative number sets errno, that of others does not.
#include <assert.h>
#include <errno.h>
#include <math.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    errno = 0;
    double root = sqrt(x);
    assert((errno == EDOM) == (x < 0));
    assert(x >= 0 || root != root);
    return 0;
}
