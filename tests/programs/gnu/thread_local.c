// Thread-local variables in the only thread.
#include <stdio.h>

static __thread int a = 3;
_Thread_local int b;

static int next(void) {
    static __thread int n = 10;
    return n++;
}

int main(void) {
    a += next();
    b += next() + a;
    printf("%d %d\n", a, b);
    return 0;
}
