// A dangling pointer may compare equal to a new one.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    char *p = malloc(24);
    free(p);
    char *q = malloc(24);
    if (q && p == q)
        reach_error();
    return 0;
}
