// Calendar time back to the second. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < 4; i++) {
        time_t t = __VERIFIER_nondet_int();
        struct tm tm;
        gmtime_r(&t, &tm);
        printf("%d %d\n", tm.tm_yday, timegm(&tm) == t);
    }
    return 0;
}
