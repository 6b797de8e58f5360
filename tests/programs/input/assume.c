// An assumption that fails ends the run silently; it is neither an error nor a normal end.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0 && x < 10);
    printf("%d\n", x);
    return 0;
}
