// Nanoseconds stay below a second.
#include <stdio.h>
#include <time.h>
#include <sys/time.h>
#include <errno.h>

int main(void) {
    struct timespec t, u;
    int first = clock_gettime(CLOCK_MONOTONIC, &t);
    printf("%d %d\n", first, t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
    printf("%d\n", clock_gettime(CLOCK_MONOTONIC, &u));
    printf("%d\n", u.tv_sec > t.tv_sec || (u.tv_sec == t.tv_sec && u.tv_nsec >= t.tv_nsec));
    struct timeval v;
    int day = gettimeofday(&v, 0);
    printf("%d %d\n", day, v.tv_usec >= 0 && v.tv_usec < 1000000);
    errno = 0;
    int r = clock_gettime(99, &t);
    printf("%d %d\n", r, errno);
    return 0;
}
