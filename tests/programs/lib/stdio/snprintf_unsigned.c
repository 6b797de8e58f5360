// Unsigned, octal and hexadecimal numbers.
#include <stdio.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    char b[200];
    for (int i = 0; i < 4; i++) {
        unsigned x = (unsigned)__VERIFIER_nondet_longlong();
        printf("%d ", snprintf(b, sizeof b, "%u", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%o", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%#o", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%x", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%X", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%#x", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%#012x", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%-12u|", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%.0u", x));
        puts(b);
    }
    return 0;
}
