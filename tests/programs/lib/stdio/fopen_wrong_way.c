// Writing to what is only read. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    char b[4] = "abc";
    FILE *f = fmemopen(b, 3, "r");
    int r = fputc('x', f);
    printf("%d %d\n", r, ferror(f) != 0);
    clearerr(f);
    printf("%d\n", ferror(f));
    fclose(f);
    f = fopen("/dev/null", "w");
    printf("%d\n", fgetc(f));
    printf("%d %d\n", ferror(f) != 0, feof(f));
    fclose(f);
    return 0;
}
