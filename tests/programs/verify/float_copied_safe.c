// Floats that are copied through variables and memory keep their bits, NaNs with payloads included.
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned before = __VERIFIER_nondet_uint(), after;
    float f, g, a[2];
    memcpy(&f, &before, sizeof f);
    g = f;
    a[1] = g;
    memcpy(&after, a + 1, sizeof after);
    if (before != after)
        reach_error();
    return 0;
}
