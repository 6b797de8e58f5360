// The end can be forgotten.
#include <stdio.h>

int main(void) {
    while (getchar() != EOF)
        ;
    printf("%d\n", feof(stdin) != 0);
    clearerr(stdin);
    printf("%d\n", feof(stdin));
    printf("%d\n", getchar());
    printf("%d\n", feof(stdin) != 0);
    return 0;
}
