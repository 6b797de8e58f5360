// A signal that the program sends itself.
#include <stdio.h>
#include <signal.h>

extern int __VERIFIER_nondet_int(void);

static volatile sig_atomic_t count;

static void handle(int number) {
    count++;
    signal(number, handle);
}

int main(void) {
    printf("%d\n", signal(SIGUSR1, handle) == SIG_DFL);
    int n = __VERIFIER_nondet_int() & 3;
    for (int i = 0; i < n; i++)
        raise(SIGUSR1);
    printf("%d\n", (int)count);
    printf("%d\n", signal(SIGUSR1, SIG_IGN) != SIG_DFL);
    raise(SIGUSR1);
    printf("%d\n", (int)count);
    printf("%d\n", raise(SIGCHLD));
    return 0;
}
