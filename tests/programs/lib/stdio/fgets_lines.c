// Lines, whole and in pieces.
#include <stdio.h>

int main(void) {
    char b[12];
    while (fgets(b, sizeof b, stdin))
        printf("[%s]\n", b);
    printf("%d %d\n", feof(stdin) != 0, ferror(stdin));
    return 0;
}
