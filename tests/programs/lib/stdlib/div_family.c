// Quotients and remainders.
#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int() | 1;
        div_t d = div(a, b);
        ldiv_t l = ldiv(a, b);
        lldiv_t q = lldiv((long long)a * 3, b);
        imaxdiv_t m = imaxdiv(a, b);
        printf("%d %d %ld %ld %lld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, q.quot, q.rem, (long long)m.rem);
    }
    return 0;
}
