// A format that is not known where `printf` is called may store something, too.
#include <stdio.h>
void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static const char *formats[2] = {"plain\n", "count%n\n"};

int main(void) {
    int n = 0;
    printf(formats[__VERIFIER_nondet_int() & 1], &n);
    if (n)
        reach_error();
    return 0;
}
