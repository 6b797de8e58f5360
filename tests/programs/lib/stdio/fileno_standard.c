// Descriptors of the standard streams.
#include <stdio.h>

int main(void) {
    printf("%d %d %d\n", fileno(stdin), fileno(stdout), fileno(stderr));
    return 0;
}
