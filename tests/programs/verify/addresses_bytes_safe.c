// A pointer taken apart and put together again.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int x = __VERIFIER_nondet_int(), *p = &x, *q;
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    memcpy(&q, bytes, sizeof q);
    if (*q != x)
        reach_error();
    return 0;
}
