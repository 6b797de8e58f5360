// Numbers written and scanned.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = 0, d = 0;
    FILE *f = tmpfile();
    fprintf(f, "%d %d rest", a, b);
    rewind(f);
    char w[8];
    printf("%d\n", fscanf(f, "%d%d%7s", &c, &d, w));
    printf("%d %d %s\n", c == a, d == b, w);
    printf("%d\n", fscanf(f, "%d", &c));
    fclose(f);
    return 0;
}
