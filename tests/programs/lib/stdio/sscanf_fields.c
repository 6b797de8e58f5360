// Fields of a string.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char s[30], w[9] = "";
    int a = __VERIFIER_nondet_int(), b = 0, c = 0, n = 0;
    sprintf(s, "%d,%x;word", a, (unsigned)a);
    int r = sscanf(s, "%d,%x;%8s%n", &b, (unsigned *)&c, w, &n);
    printf("%d %d %d %s %d\n", r, b == a, c == a, w, n);
    printf("%d %d\n", sscanf("", "%d", &b), sscanf("q", "%d", &b));
    return 0;
}
