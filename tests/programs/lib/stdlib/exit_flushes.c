// exit ends the program from anywhere.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    printf("%d\n", x);
    if (x > 0)
        exit(x & 63);
    puts("not positive");
    return 0;
}
