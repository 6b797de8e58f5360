// A handler runs when the program raises its signal.
#include <signal.h>

extern void reach_error(void);
static volatile int seen;

static void handle(int number) {
    seen++;
}

int main(void) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    if (seen == 1)
        reach_error();
    return 0;
}
