// C asks for room for 32 exit handlers at least; glibc has no limit, nor has Cairn. The last one runs first,
// also one that a handler registers.
#include <stdio.h>
#include <stdlib.h>

static int runs;

static void late(void) {
    printf("late %d\n", runs);
}

static void count(void) {
    runs++;
    if (runs == 5 || runs == 90)
        if (atexit(late))
            printf("refused\n");
}

static void last(void) {
    printf("last %d\n", runs);
}

int main(void) {
    if (atexit(last))
        printf("refused\n");
    for (int i = 0; i < 100; i++)
        if (atexit(count))
            printf("refused %d\n", i);
    return 3;
}
