// _Bool: conversion to 0 or 1 from everything, arithmetic, bit-fields, arrays.
#include <stdio.h>
#include <stdbool.h>

static bool positive(double d) { return d > 0 ? 256 : 0; }

int main(void) {
    _Bool a = 256, b = 0.5, c = "text", d = (void *)0, e = -0.0;
    printf("%d %d %d %d %d\n", a, b, c, d, e);
    bool f = true;
    f++;
    printf("%d\n", f);
    f--;
    printf("%d\n", f);
    f--;
    printf("%d\n", f);
    f += 5;
    f <<= 3;
    printf("%d %d\n", f, ~f);
    printf("%zu %d %d\n", sizeof f, f + f, -f);
    bool arr[3] = {3, 0, 1.5};
    printf("%d%d%d %d\n", arr[0], arr[1], arr[2], positive(1e-300));
    struct { bool x : 1; } s;
    s.x = 2;
    printf("%d %d\n", s.x, (bool)0x100000000LL);
    int i = 4;
    bool g = i & 4;
    printf("%d %d\n", g == true, (i & 4) == true);
    return !f;
}
