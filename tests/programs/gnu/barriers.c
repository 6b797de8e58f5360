// Empty assembly is only a compiler barrier.
#include <stdio.h>

int main(void) {
    int x = 1;
    __asm__ volatile("" ::: "memory");
    x++;
    printf("%d\n", x);
    return 0;
}
