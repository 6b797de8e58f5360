// Bytes to a descriptor.
#include <stdio.h>
#include <unistd.h>
#include <errno.h>

int main(void) {
    fflush(stdout);
    long n = write(1, "text\n", 5);
    printf("%ld\n", n);
    n = write(77, "x", 1);
    printf("%ld %d\n", n, errno);
    return 0;
}
