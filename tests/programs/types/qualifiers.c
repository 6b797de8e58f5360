// const, volatile, restrict and register in declarations, and what casts make of them.
#include <stdio.h>

static void copy(int n, int *restrict to, const int *restrict from) {
    while (n-- > 0) *to++ = *from++;
}

static volatile int shared = 3;
static const volatile unsigned ro = 7;

int main(void) {
    register int i = 0;
    const int c[] = {1, 2, 3};
    int d[3];
    copy(3, d, c);
    for (; i < 3; i++) shared += d[i];
    const int *const p = d;
    *(int *)p = 50;
    printf("%d %d %u\n", shared, d[0], ro);
    volatile struct { int a, b; } s = {1, 2};
    s.a += s.b;
    s.b = shared++;
    printf("%d %d %d\n", s.a, s.b, shared);
    int const volatile *q = &shared;
    printf("%d\n", *q);
    return 0;
}
