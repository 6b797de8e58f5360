// printf is given no argument for its conversion.
#include <stdio.h>

int main(void) {
    printf("%d %d\n", 1);
    return 0;
}
