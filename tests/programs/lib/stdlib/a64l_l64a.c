// Numbers in base 64.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        long v = __VERIFIER_nondet_int() & 0x7fffffff;
        char *s = l64a(v);
        printf("%s %ld\n", s, a64l(s));
    }
    printf("[%s] %ld\n", l64a(0), a64l("zzzzz/"));
    return 0;
}
