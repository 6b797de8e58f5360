// As the safe twin: in another rounding mode the quotient is another number.
#include <assert.h>
#include <fenv.h>

int main(void) {
    volatile double one = 1, three = 3;
    double nearest = one / three;
    fesetround(FE_UPWARD);
    assert(one / three == nearest);
    return 0;
}
