// Calls that change globals held in variables, through pointers and recursion.
#include <stdio.h>

static int g = 1, *gp = &g;
static long counter;

static int bump(int by) {
    g += by;
    counter++;
    return *gp;
}

static int deep(int n) {
    if (n == 0) return g;
    g++;
    int r = deep(n - 1);
    g--;
    return r + *gp;
}

int main(void) {
    int x = g;
    x += bump(5);
    x += g;
    *gp = 50;
    x += g;
    printf("%d %d\n", x, deep(4));
    int y = g + 0;
    y += (bump(1), g) * 2;
    printf("%d %ld\n", y, counter);
    static int *chain[3];
    chain[0] = &g;
    chain[1] = &x;
    *chain[0] += *chain[1];
    printf("%d\n", g);
    return 0;
}
