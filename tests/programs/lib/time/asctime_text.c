// The fixed text of a time.
#include <stdio.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    time_t t = __VERIFIER_nondet_int();
    printf("%s", asctime(gmtime(&t)));
    char b[40];
    printf("%s", asctime_r(gmtime(&t), b));
    printf("%s", ctime(&t));
    printf("%s", ctime_r(&t, b));
    return 0;
}
