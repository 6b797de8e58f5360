// rand and srand: in range and reproducible within one run.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    srand(42);
    int first[5];
    for (int i = 0; i < 5; i++) {
        first[i] = rand();
        if (first[i] < 0 || first[i] > RAND_MAX) return 1;
    }
    srand(42);
    int same = 1;
    for (int i = 0; i < 5; i++) same &= rand() == first[i];
    printf("%d\n", same);
    return 0;
}
