// Numbers of 64 bits at their limits.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>

int main(void) {
    static const char *const texts[] = {"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
                                        "18446744073709551615", "18446744073709551616", "-1"};
    for (int i = 0; i < 7; i++) {
        errno = 0;
        long long v = strtoll(texts[i], 0, 10);
        printf("%lld %d\n", v, errno);
        errno = 0;
        unsigned long long u = strtoull(texts[i], 0, 10);
        printf("%llu %d\n", u, errno);
    }
    return 0;
}
