// The error function may have a body of its own.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#include <stdlib.h>

void reach_error(void) { abort(); }

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 12345) reach_error();
    return 0;
}
