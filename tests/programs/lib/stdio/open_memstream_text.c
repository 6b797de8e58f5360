// Text that grows as it is written. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p;
    size_t n;
    FILE *f = open_memstream(&p, &n);
    for (int i = 0; i < 5; i++)
        fprintf(f, "%d,", __VERIFIER_nondet_int());
    fflush(f);
    printf("%s %zu\n", p, n);
    fputs("end", f);
    fclose(f);
    printf("%s %zu\n", p, n);
    free(p);
    return 0;
}
