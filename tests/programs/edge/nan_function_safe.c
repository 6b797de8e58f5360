// nan() gives a NaN, whatever the text says.
#include <assert.h>
#include <math.h>

int main(void) {
    double x = nan("");
    assert(x != x && isnan(nanf("12")));
    return 0;
}
