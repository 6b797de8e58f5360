// What is written to a temporary file is read back.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    FILE *f = tmpfile();
    fprintf(f, "%d\n%s\n", x, "second");
    rewind(f);
    char b[40];
    while (fgets(b, sizeof b, f))
        printf("[%s] %ld\n", b, ftell(f));
    printf("%d\n", feof(f) != 0);
    printf("%d\n", fclose(f));
    return 0;
}
