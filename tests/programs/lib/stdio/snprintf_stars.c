// Widths and precisions as arguments.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char b[80];
    int w = __VERIFIER_nondet_int() % 20, p = __VERIFIER_nondet_int() % 9;
    snprintf(b, sizeof b, "[%*d|%.*d|%*.*s]", w, 42, p, 7, w, p, "abcdefgh");
    puts(b);
    return 0;
}
