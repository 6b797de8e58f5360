// Constructors run before main, destructors after it, also after exit().
#include <stdio.h>
#include <stdlib.h>

static int state = 1;
__attribute__((constructor)) static void init(void) { state = state * 10 + 2; }
static void last(void) { printf("at exit %d\n", state); }

int main(void) {
    atexit(last);
    printf("main %d\n", state);
    state = 5;
    exit(4);
}
