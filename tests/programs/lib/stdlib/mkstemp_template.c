// Names of temporary files end in six letters. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

int main(void) {
    char bad[] = "/tmp/none";
    errno = 0;
    int fd = mkstemp(bad);
    printf("%d %d\n", fd, errno);
    char s[] = "/nowhere/to/be/fXXXXXX";
    printf("%d\n", mkstemp(s));
    return 0;
}
