// Narrow and wide numbers.
#include <stdio.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    char b[200];
    for (int i = 0; i < 4; i++) {
        long long x = __VERIFIER_nondet_longlong();
        printf("%d ", snprintf(b, sizeof b, "%lld", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%llx", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%llu", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%.20lld", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%#llo", x));
        puts(b);
    }
    return 0;
}
