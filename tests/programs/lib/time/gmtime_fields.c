// A second as calendar time.
#include <stdio.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < 4; i++) {
        time_t t = __VERIFIER_nondet_int();
        struct tm *tm = gmtime(&t);
        printf("%d-%d-%d %d:%d:%d %d %d %d\n", tm->tm_year, tm->tm_mon, tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_sec,
               tm->tm_wday, tm->tm_yday, tm->tm_isdst);
    }
    return 0;
}
