// The sign of a NaN that is computed is any: a run that does not fail is no proof.
#include <math.h>
void reach_error(void);

int main(void) {
    double zero = 0.0, nan = zero / zero;
    if (!signbit(nan))
        reach_error();
    return 0;
}
