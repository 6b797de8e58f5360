// Numbers cut to char and short.
#include <stdio.h>

extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    char b[200];
    for (int i = 0; i < 4; i++) {
        int x = (int)__VERIFIER_nondet_longlong();
        printf("%d ", snprintf(b, sizeof b, "%hhd", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%hd", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%hhu", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%hu", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%hhx", x));
        puts(b);
        printf("%d ", snprintf(b, sizeof b, "%ho", x));
        puts(b);
    }
    return 0;
}
