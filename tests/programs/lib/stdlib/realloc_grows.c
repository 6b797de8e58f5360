// An array that grows keeps its values.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = 0, room = 1, *a = malloc(sizeof *a);
    for (int i = 0; i < 9; i++) {
        if (n == room)
            a = realloc(a, (room *= 2) * sizeof *a);
        a[n++] = __VERIFIER_nondet_int();
    }
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned)a[i];
    printf("%u %d\n", sum, room);
    free(a);
    return 0;
}
