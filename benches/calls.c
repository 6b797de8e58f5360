/* Function calls: recursion, and small functions called from loops. */
#include <stdio.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static unsigned step(unsigned x) { return x * 1664525u + 1013904223u; }

static unsigned mix(unsigned a, unsigned b) { return step(a) ^ (b >> 3); }

int main(void) {
    unsigned h = 1;
    for (int i = 0; i < 30000000; i++) h = mix(h, (unsigned)i);
    printf("%d %u\n", fib(35), h);
    return 0;
}
