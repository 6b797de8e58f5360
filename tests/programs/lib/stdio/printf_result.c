// How much printf printed.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = printf("%d %s\n", __VERIFIER_nondet_int(), "word");
    printf("%d\n", n);
    n = fprintf(stdout, "%x\n", __VERIFIER_nondet_int());
    printf("%d\n", n);
    printf("%d\n", putchar('c'));
    printf("%d\n", puts("line") >= 0);
    return 0;
}
