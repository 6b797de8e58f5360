// Places in a file.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() & 7;
    FILE *f = tmpfile();
    fputs("0123456789", f);
    printf("%ld\n", ftell(f));
    printf("%d\n", fseek(f, x, SEEK_SET));
    int d = fgetc(f);
    printf("%d %ld\n", d, ftell(f));
    fseek(f, -2, SEEK_END);
    printf("%d\n", fgetc(f));
    fseek(f, 0, SEEK_CUR);
    fputc('X', f);
    printf("%d\n", fseek(f, -100, SEEK_CUR));
    fseek(f, 14, SEEK_SET);
    fputc('Y', f);
    rewind(f);
    int c;
    while ((c = fgetc(f)) != EOF)
        printf("%d ", c);
    putchar(10);
    fclose(f);
    return 0;
}
