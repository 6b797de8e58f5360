// Signed numbers with every flag.
#include <stdio.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    char b[200];
    for (int i = 0; i < 4; i++) {
        int x = (int)__VERIFIER_nondet_longlong();
        printf("%d ", snprintf(b, sizeof b, "%d", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%5d", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%-8d|", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%+d", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "% d", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%08d", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%.5d", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%10.4d", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%-+10.3d|", x));
        puts(b);
    }
    return 0;
}
