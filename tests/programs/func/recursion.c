// Recursion: direct, mutual, deep, and through a pointer.
#include <stdio.h>

static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static unsigned depth(unsigned n) {
    unsigned local[4] = {n, n + 1, n + 2, n + 3};
    if (n == 0) return 0;
    return depth(n - 1) + local[n % 4] % 7;
}

static void hanoi(int n, int from, int to, int via, int *moves) {
    if (n == 0) return;
    hanoi(n - 1, from, via, to, moves);
    ++*moves;
    hanoi(n - 1, via, to, from, moves);
}

int main(void) {
    int moves = 0;
    hanoi(10, 1, 3, 2, &moves);
    printf("%d %d %u %d %u %d\n", even(100), odd(77), ackermann(2, 9), fib(18), depth(3000), moves);
    return 0;
}
