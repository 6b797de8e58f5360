// A definition is weak if its own unit says so; a strong one, and also a tentative one, of another unit
// takes its place, in whatever order the units are given.
#include <stdio.h>

int a __attribute__((weak)) = 1;
int b;
int c __attribute__((weak)) = 3;
extern int d __attribute__((weak));
int d = 4;
int e __attribute__((weak));
int zero;
int f(void) __attribute__((weak));
int f(void) {
    return 1;
}
int g(void);
int h(void) __attribute__((weak));

int main(void) {
    printf("%d %d %d %d %d %d\n", a, b, c, d, e, zero);
    printf("%d %d %d\n", f(), g(), h());
    return 0;
}
