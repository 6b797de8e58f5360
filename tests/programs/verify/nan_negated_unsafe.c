// Unary minus inverts the sign of a NaN, fabs clears it.
#include <math.h>
extern void reach_error(void);

int main(void) {
    double x = -(double)NAN;
    float y = -x < 0 ? 1.0f : -NAN;
    if (signbit(x))
        reach_error();
    return 0;
}
