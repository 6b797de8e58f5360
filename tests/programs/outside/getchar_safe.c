// Nothing follows the end of standard input, and a byte is a byte.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int a = getchar(), b = getchar();
    if (a < -1 || a > 255 || (a == EOF && b != EOF))
        reach_error();
    printf("%d %d\n", a, b);
    return 0;
}
