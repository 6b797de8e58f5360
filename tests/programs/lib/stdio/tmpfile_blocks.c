// Records in a file.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    FILE *f = tmpfile();
    struct { int a; char b; } out[3] = {{1, 2}, {3, 4}, {5, 6}}, in[3];
    out[1].a = x;
    printf("%zu\n", fwrite(out, sizeof *out, 3, f));
    rewind(f);
    printf("%zu\n", fread(in, sizeof *in, 3, f));
    printf("%d %d %d\n", in[1].a, in[2].b, in[0].a);
    printf("%zu\n", fread(in, sizeof *in, 1, f));
    printf("%d\n", feof(f) != 0);
    fclose(f);
    return 0;
}
