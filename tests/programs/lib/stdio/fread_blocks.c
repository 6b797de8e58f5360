// Blocks of bytes, and a last one that is not full.
#include <stdio.h>

int main(void) {
    char b[16] = "";
    printf("%zu\n", fread(b, 4, 3, stdin));
    printf("%s\n", b);
    printf("%zu\n", fread(b, 1, 16, stdin));
    printf("%d\n", feof(stdin) != 0);
    printf("%zu\n", fread(b, 0, 5, stdin));
    return 0;
}
