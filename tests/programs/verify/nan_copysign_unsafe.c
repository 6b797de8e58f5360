// copysign gives a NaN a sign.
#include <math.h>
extern void reach_error(void);

int main(void) {
    double x = copysign(NAN, -2.0);
    double y = copysign(x, 3.0);
    if (signbit(x))
        reach_error();
    return 0;
}
