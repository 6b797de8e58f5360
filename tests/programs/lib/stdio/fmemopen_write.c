// Text written into an array. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char b[16] = "###############";
    FILE *f = fmemopen(b, sizeof b, "w");
    fprintf(f, "%d", __VERIFIER_nondet_int());
    fflush(f);
    printf("%s %ld\n", b, ftell(f));
    fputs("!", f);
    fclose(f);
    puts(b);
    return 0;
}
