// Differences of times.
#include <stdio.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    time_t a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    printf("%.1f %.1f\n", difftime(a, b), difftime(b, a));
    return 0;
}
