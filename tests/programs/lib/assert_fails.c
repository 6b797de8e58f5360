// A failing assertion.
#include <assert.h>
#include <stdio.h>

int main(void) {
    printf("start\n");
    fflush(stdout);
    for (int i = 0; i < 10; i++) assert(i * i < 50);
    printf("not reached\n");
    return 0;
}
