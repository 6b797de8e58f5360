// Signals that cannot be caught.
#include <stdio.h>
#include <signal.h>
#include <errno.h>

int main(void) {
    errno = 0;
    int bad = signal(SIGKILL, SIG_IGN) == SIG_ERR;
    printf("%d %d\n", bad, errno);
    printf("%d\n", signal(12345, SIG_IGN) == SIG_ERR);
    printf("%d\n", raise(1000));
    return 0;
}
