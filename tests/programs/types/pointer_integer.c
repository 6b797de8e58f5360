// Round trips between pointers and integers of pointer width, and arithmetic on the integer.
#include <stdio.h>
#include <stdint.h>

int main(void) {
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uintptr_t n = (uintptr_t)&a[2];
    int *p = (int *)n;
    printf("%d\n", *p);
    n += 3 * sizeof(int);
    printf("%d\n", *(int *)n);
    printf("%d\n", (int)(((uintptr_t)&a[7] - (uintptr_t)&a[1]) / sizeof(int)));
    printf("%d %d\n", (uintptr_t)a % sizeof(int) == 0, (uintptr_t)(void *)0 == 0);
    uintptr_t tagged = (uintptr_t)a | 1;
    printf("%d %d\n", (int)(tagged & 1), *(int *)(tagged & ~(uintptr_t)1));
    unsigned char bytes[sizeof(void *)];
    int *q = &a[4];
    __builtin_memcpy(bytes, &q, sizeof q);
    int *r;
    __builtin_memcpy(&r, bytes, sizeof r);
    printf("%d %d\n", *r, r == q);
    printf("%d\n", (uintptr_t)&a[3] < (uintptr_t)&a[4]);
    intptr_t minus = -1;
    printf("%d\n", (void *)minus != 0);
    return 0;
}
