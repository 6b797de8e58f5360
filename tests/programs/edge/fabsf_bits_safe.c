// The absolute value changes the sign bit of a float and no other, also that of a NaN.
#include <assert.h>
#include <math.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned bits = __VERIFIER_nondet_uint(), after;
    float f, g;
    memcpy(&f, &bits, sizeof f);
    g = fabsf(f);
    memcpy(&after, &g, sizeof g);
    assert(after == (bits & 0x7fffffff));
    return 0;
}
