// Numbers out of range, and bases that are none.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>

int main(void) {
    static const char *const texts[] = {"99999999999999999999", "-99999999999999999999", "2147483648", "-2147483649", "12"};
    for (int i = 0; i < 5; i++) {
        errno = 0;
        long v = strtol(texts[i], 0, 10);
        printf("%ld %d\n", v, errno);
        errno = 0;
        unsigned long u = strtoul(texts[i], 0, 10);
        printf("%lu %d\n", u, errno);
    }
    errno = 0;
    long v = strtol("12", 0, 1);
    printf("%ld %d\n", v, errno);
    errno = 0;
    char *e;
    v = strtol("none", &e, 10);
    printf("%ld %d %s\n", v, errno, e);
    return 0;
}
