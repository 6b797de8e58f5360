// A descriptor of one's own.
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int fd = open("/dev/null", O_WRONLY);
    printf("%d\n", fd > 2);
    printf("%ld\n", (long)write(fd, "abc", 3));
    printf("%d\n", close(fd));
    printf("%d\n", close(fd));
    return 0;
}
