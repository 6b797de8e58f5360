// An array initialised from a string is written to.
#include <stdio.h>

int main(void) {
    char s[] = "hello";
    s[0] = 'J';
    printf("%s\n", s);
    return 0;
}
