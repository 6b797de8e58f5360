// A factorial overflows.
#include <stdio.h>

int main(void) {
    int f = 1;
    for (int i = 2; i <= 13; i++) f *= i;
    printf("%d\n", f);
    return 0;
}
