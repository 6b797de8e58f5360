// A file that is not there.
#include <stdio.h>
#include <fcntl.h>
#include <errno.h>

int main(void) {
    int fd = open("/no/such/file", O_RDONLY);
    printf("%d %d\n", fd, errno);
    return 0;
}
