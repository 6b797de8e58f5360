// Sleeping for no time, and for a time that is none.
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <errno.h>

int main(void) {
    printf("%u\n", sleep(0));
    printf("%d\n", usleep(0));
    struct timespec t = {0, 0}, bad = {0, 1000000000};
    printf("%d\n", nanosleep(&t, 0));
    errno = 0;
    int r = nanosleep(&bad, 0);
    printf("%d %d\n", r, errno);
    return 0;
}
