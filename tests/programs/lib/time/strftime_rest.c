// strftime: percent  %z %s %Ey %Od. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < 4; i++) {
        time_t t = __VERIFIER_nondet_int();
        char b[200];
        size_t n = strftime(b, sizeof b, "%% %n%t %z %s %Ey %Od", gmtime(&t));
        printf("%zu %s\n", n, b);
    }
    return 0;
}
