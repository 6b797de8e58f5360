// What a run cannot reach may be unsupported.
#include <stdio.h>

static inline int timestamp(void) {
    int lo, hi;
    __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
    return lo;
}

int main(void) {
    printf("fine\n");
    return 0;
}
