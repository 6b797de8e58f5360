// inline, static inline, extern inline and gnu_inline; static locals in each.
#include <stdio.h>

static inline int sq(int x) { return x * x; }
inline int cube(int x) { return x * x * x; }
extern inline int cube(int x);
extern inline __attribute__((gnu_inline, always_inline)) int quad(int x) { return x * 4; }
static inline int counter(void) {
    static int n = 100;
    return n++;
}
static int other(void) {
    static int n = 5;
    {
        static int n = 50;
        n++;
        return n;
    }
}
_Noreturn static void stop(int code);

int main(void) {
    printf("%d %d %d\n", sq(5), cube(3), quad(2));
    printf("%d ", counter());
    printf("%d ", counter());
    int (*p)(void) = counter;
    printf("%d\n", p());
    other();
    printf("%d\n", other());
    stop(9);
}

#include <stdlib.h>
static void stop(int code) { exit(code); }
