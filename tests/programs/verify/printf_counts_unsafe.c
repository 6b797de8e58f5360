// `%n` stores how much was written.
#include <stdio.h>
void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int before = -1, after = -1;
    unsigned char c = __VERIFIER_nondet_uchar();
    printf("hello%n %u%n\n", &before, c % 10u, &after);
    if (before != 5 || after != 8)
        reach_error();
    fprintf(stderr, "%s%n", "abc", &after);
    if (after != 3)
        reach_error();
    return 0;
}
