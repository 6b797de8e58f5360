// A pointer that is not assigned may lead anywhere; where it is supposed to lead to an object, it does.
#include <assert.h>

void __VERIFIER_assume(int);

int main(void) {
    int *p;
    int x = 1;
    __VERIFIER_assume(p == &x);
    assert(*p == 1);
    return 0;
}
