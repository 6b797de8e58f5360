// Functions registered with atexit run in reverse order, also after exit().
#include <stdio.h>
#include <stdlib.h>

static int state = 1;
static void last(void) { printf("last %d\n", state); }
static void earlier(void) { printf("earlier %d\n", state++); }

int main(void) {
    atexit(last);
    atexit(earlier);
    printf("main %d\n", state);
    state = 5;
    exit(4);
}
