// rand is in its range, whatever it returns.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    srand(42);
    int fine = 1;
    for (int i = 0; i < 50; i++) {
        int r = rand();
        fine &= r >= 0 && r <= RAND_MAX;
    }
    printf("%d\n", fine);
    return 0;
}
