// Text of any length on the heap. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *s;
    int n = asprintf(&s, "%d:%40s:%d", __VERIFIER_nondet_int(), "x", __VERIFIER_nondet_int());
    printf("%d %s\n", n, s);
    free(s);
    return 0;
}
