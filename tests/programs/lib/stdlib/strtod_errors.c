// Overflow and underflow are range errors.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>

int main(void) {
    static const char *const texts[] = {"1e400", "-1e400", "1e-400", "1e-310", "0e-999", "1.5", "inf", "0x1p-1070"};
    for (int i = 0; i < 8; i++) {
        errno = 0;
        double d = strtod(texts[i], 0);
        printf("%g %d\n", d, errno);
    }
    return 0;
}
