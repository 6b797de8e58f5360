// The input function is used without a declaration (old programs do this).
#include <stdio.h>

int main(void) {
    int x = __VERIFIER_nondet_int();
    printf("%d\n", x + 1);
    return 0;
}
