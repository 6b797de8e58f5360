// Descriptors that are not open.
#include <stdio.h>
#include <unistd.h>
#include <errno.h>

int main(void) {
    int r = close(77);
    printf("%d %d\n", r, errno);
    r = close(-1);
    printf("%d %d\n", r, errno);
    char c;
    r = (int)read(55, &c, 1);
    printf("%d %d\n", r, errno);
    r = dup(66);
    printf("%d %d\n", r, errno);
    r = (int)lseek(44, 0, SEEK_SET);
    printf("%d %d\n", r, errno);
    return 0;
}
