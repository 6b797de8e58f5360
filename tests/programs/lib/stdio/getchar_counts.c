// Characters counted by kind.
#include <stdio.h>

int main(void) {
    int c, letters = 0, digits = 0, others = 0;
    while ((c = getchar()) != EOF)
        if (c >= 'a' && c <= 'z')
            letters++;
        else if (c >= '0' && c <= '9')
            digits++;
        else
            others++;
    printf("%d %d %d\n", letters, digits, others);
    printf("%d\n", getc(stdin));
    return 0;
}
