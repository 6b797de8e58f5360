// Fields out of range are carried over.
#include <stdio.h>
#include <string.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct tm tm;
    memset(&tm, 0, sizeof tm);
    tm.tm_year = 100 + __VERIFIER_nondet_int() % 30;
    tm.tm_mon = __VERIFIER_nondet_int() % 50;
    tm.tm_mday = __VERIFIER_nondet_int() % 400;
    tm.tm_hour = __VERIFIER_nondet_int() % 100;
    tm.tm_sec = __VERIFIER_nondet_int() % 100000;
    time_t t = mktime(&tm);
    printf("%ld %d %d %d %d %d %d %d\n", (long)t, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_sec, tm.tm_wday, tm.tm_yday);
    return 0;
}
