// Too little room: the length is that of all of it.
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char b[12];
    int x = __VERIFIER_nondet_int();
    for (int n = 0; n < 12; n += 3) {
        memset(b, '#', sizeof b);
        int len = snprintf(b, n, "<%d>", x);
        printf("%d %.*s\n", len, n, b);
    }
    printf("%d\n", snprintf(0, 0, "%d", x));
    return 0;
}
