// A place that is kept.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() & 3;
    FILE *f = tmpfile();
    fputs("abcdef", f);
    fseek(f, x, SEEK_SET);
    fpos_t p;
    printf("%d\n", fgetpos(f, &p));
    int c = fgetc(f);
    fgetc(f);
    printf("%d\n", fsetpos(f, &p));
    printf("%d\n", fgetc(f) == c);
    fclose(f);
    return 0;
}
