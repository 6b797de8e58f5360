// Floating-point numbers.
#include <stdio.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    char b[200];
    for (int i = 0; i < 4; i++) {
        double x = (double)__VERIFIER_nondet_longlong() / 64;
        printf("%d ", snprintf(b, sizeof b, "%f", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%.2f", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%e", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%g", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%10.3f", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%-12.1e|", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%+.0f", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%#g", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%a", x));
        puts(b);
    }
    return 0;
}
