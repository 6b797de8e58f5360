// Texts of constants beside an input: engines know them.
#include <stdio.h>
#include <stdlib.h>
void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    char text[16], *end;
    double d = strtod("1.25,", &end);
    int n = snprintf(text, sizeof text, "%.1f %a", 2.5, 1.0);
    if (x > 3 && (d != 1.25 || *end != ','))
        reach_error();
    if (x < 3 && (n != 10 || text[2] != '5' || text[9] != '1'))
        reach_error();
    return 0;
}
