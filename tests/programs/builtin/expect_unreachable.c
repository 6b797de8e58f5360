// Hints that do not change the meaning: expect, assume_aligned, prefetch, unreachable.
#include <stdio.h>

#define likely(x) __builtin_expect(!!(x), 1)

static int f(int x) {
    switch (x & 3) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 3: return 13;
    }
    __builtin_unreachable();
}

int main(void) {
    int s = 0, a[4] __attribute__((aligned(16))) = {1, 2, 3, 4};
    for (int i = 0; i < 10; i++)
        if (likely(i != 5)) s += f(i);
    int *p = __builtin_assume_aligned(a, 16);
    __builtin_prefetch(p);
    __builtin_prefetch(p, 1, 3);
    printf("%d %d\n", s, p[2]);
    printf("%ld\n", __builtin_expect(s == 3, 0));
    printf("%ld\n", __builtin_expect_with_probability(7, 7, 0.9));
    return 0;
}
