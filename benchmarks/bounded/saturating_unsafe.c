// Saturating sums are the exact ones, clamped: an overflow passes.
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int add(int a, int b) {
    unsigned sum = (unsigned)a + (unsigned)b;
    unsigned limit = ((unsigned)a >> 31) + (unsigned)INT_MAX;
    if ((int)(((unsigned)a ^ (unsigned)b) | ~((unsigned)a ^ ~sum)) >= 0) sum = limit;
    return (int)sum;
}

int main(void) {
    int total = 0;
    for (int i = 0; i < 4; i++) {
        int x = __VERIFIER_nondet_int();
        long exact = (long)total + x;
        if (exact > INT_MAX) exact = INT_MAX;
        if (exact < INT_MIN) exact = INT_MIN;
        total = add(total, x);
        if (total != exact) reach_error();
    }
    return 0;
}
