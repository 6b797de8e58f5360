// The last days of February.
#include <stdio.h>
#include <string.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int years[5];
    for (int i = 0; i < 5; i++)
        years[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 5; i++) {
        struct tm tm;
        memset(&tm, 0, sizeof tm);
        tm.tm_year = years[i];
        tm.tm_mon = 1;
        tm.tm_mday = 29;
        mktime(&tm);
        printf("%d %d\n", tm.tm_mon, tm.tm_mday);
    }
    return 0;
}
