// Text of any length on the heap. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *s;
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int n = asprintf(&s, "%d:%40s:%d", a, "x", b);
    printf("%d %s\n", n, s);
    free(s);
    return 0;
}
