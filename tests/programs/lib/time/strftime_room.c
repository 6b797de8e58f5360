// No room, no text.
#include <stdio.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    time_t t = __VERIFIER_nondet_int();
    struct tm *tm = gmtime(&t);
    char b[16];
    for (int n = 0; n < 16; n += 5)
        printf("%zu\n", strftime(b, n, "%Y-%m-%d", tm));
    printf("%s\n", b);
    return 0;
}
