// A file that is not there. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <errno.h>

int main(void) {
    errno = 0;
    FILE *f = fopen("/no/such/folder/file", "r");
    printf("%d %d\n", f == 0, errno);
    errno = 0;
    f = fopen("/dev/null", "bad mode");
    printf("%d %d\n", f == 0, errno);
    return 0;
}
