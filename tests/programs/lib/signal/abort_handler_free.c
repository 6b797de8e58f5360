// abort is abort.
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    fflush(stdout);
    if (__VERIFIER_nondet_int() > 0)
        raise(SIGABRT);
    puts("alive");
    return 0;
}
