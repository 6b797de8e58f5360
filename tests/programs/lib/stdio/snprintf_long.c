// Numbers of type long.
#include <stdio.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    char b[200];
    for (int i = 0; i < 4; i++) {
        long x = (long)__VERIFIER_nondet_longlong();
        printf("%d ", snprintf(b, sizeof b, "%ld", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%lu", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%lx", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%20ld", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%-20ld|", x));
        puts(b);
    }
    return 0;
}
