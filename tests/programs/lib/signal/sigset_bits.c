// Sets of signals.
#include <stdio.h>
#include <signal.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    sigset_t s;
    sigemptyset(&s);
    int a = __VERIFIER_nondet_int() % 30 + 1, b = __VERIFIER_nondet_int() % 30 + 1;
    sigaddset(&s, a);
    sigaddset(&s, b);
    sigdelset(&s, a);
    printf("%d %d %d\n", sigismember(&s, a), sigismember(&s, b), sigismember(&s, SIGTERM));
    sigfillset(&s);
    printf("%d %d\n", sigismember(&s, SIGHUP), sigaddset(&s, 1000));
    return 0;
}
