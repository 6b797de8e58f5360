// Characters and padding.
#include <stdio.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    char b[200];
    for (int i = 0; i < 4; i++) {
        int x = (int)__VERIFIER_nondet_longlong();
        printf("%d ", snprintf(b, sizeof b, "%c", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%5c", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%-5c|", x));
        puts(b);
    }
    return 0;
}
