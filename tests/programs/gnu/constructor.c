// Constructors run before main, in the order of their priorities; destructors after it.
#include <stdio.h>

static int state = 1;

__attribute__((constructor(300))) static void later(void) { state = state * 10 + 3; }
__attribute__((constructor(200))) static void early(void) { state = state * 10 + 2; }
__attribute__((constructor)) static void plain(void) { state = state * 10 + 4; }
__attribute__((destructor)) static void done(void) { printf("done %d\n", state); }

int main(void) {
    printf("main %d\n", state);
    state = 7;
    return state;
}
