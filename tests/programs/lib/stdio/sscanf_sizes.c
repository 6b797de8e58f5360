// Numbers of every size.
#include <stdio.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    signed char c = 1;
    short s = 1;
    long l = 1;
    long long q = 1;
    size_t z = 1;
    char t[80];
    long long x = __VERIFIER_nondet_longlong();
    sprintf(t, "%d %d %ld %lld %u", (signed char)x, (short)x, (long)x, x, (unsigned)x);
    printf("%d ", sscanf(t, "%hhd %hd %ld %lld %zu", &c, &s, &l, &q, &z));
    printf("%d %d %ld %lld %zu\n", c, s, l, q, z);
    return 0;
}
