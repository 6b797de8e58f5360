// Local time where it is UTC.
#include <stdio.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    time_t t = __VERIFIER_nondet_int();
    struct tm a, *b = localtime(&t);
    printf("%d %d %d\n", b->tm_mday, b->tm_hour, b->tm_isdst);
    localtime_r(&t, &a);
    printf("%d %d\n", a.tm_min, a.tm_sec);
    return 0;
}
