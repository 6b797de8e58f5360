// A number that does not fit is a range error.
#include <stdlib.h>
#include <errno.h>

extern void reach_error(void);

int main(void) {
    errno = 0;
    long v = strtol("99999999999999999999", 0, 10);
    if (errno != ERANGE || v < 0)
        reach_error();
    return 0;
}
