// What the clocks say can be stored and compared.
#include <stdio.h>
#include <time.h>

int main(void) {
    time_t a = 0, b = time(&a);
    printf("%d %d\n", a == b, b > 1000000);
    clock_t c = clock(), d = clock();
    printf("%d\n", c <= d);
    return 0;
}
