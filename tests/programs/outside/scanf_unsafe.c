// A number from standard input is any number.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int x = 0;
    if (scanf("%d", &x) == 1 && x * 3 == 12726)
        reach_error();
    printf("%d\n", x);
    return 0;
}
