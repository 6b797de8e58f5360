// How much was written so far.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a, b;
    char t[60];
    long c;
    sprintf(t, "%d%n-%s%n%ln", __VERIFIER_nondet_int(), &a, "xyz", &b, &c);
    printf("%s %d %d %ld\n", t, a, b, c);
    return 0;
}
