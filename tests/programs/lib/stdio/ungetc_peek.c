// A character given back is read again.
#include <stdio.h>

int main(void) {
    int c = getchar();
    printf("%d\n", ungetc(c, stdin) == c);
    printf("%d\n", getchar() == c);
    ungetc('#', stdin);
    printf("%d\n", feof(stdin));
    printf("%d\n", fgetc(stdin));
    printf("%d\n", getchar());
    printf("%d\n", ungetc(EOF, stdin));
    return 0;
}
