// abort ends the program abnormally.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("before\n");
    fflush(stdout);
    abort();
}
