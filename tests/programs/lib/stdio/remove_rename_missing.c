// Files that are not there.
#include <stdio.h>
#include <errno.h>

int main(void) {
    printf("%d\n", remove("/no/such/file"));
    int e = errno;
    printf("%d\n", rename("/no/such/file", "/no/such/other"));
    printf("%d %d\n", e, errno);
    return 0;
}
