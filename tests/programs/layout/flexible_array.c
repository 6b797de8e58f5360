// Flexible and zero-length array members, on the heap and statically initialised.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flex { int n; short data[]; };
struct zero { char tag; int data[0]; };
static struct flex fixed = {3, {10, 20, 30}};

int main(void) {
    struct flex *f = malloc(sizeof *f + 5 * sizeof(short));
    f->n = 5;
    for (int i = 0; i < f->n; i++) f->data[i] = i * i;
    int sum = 0;
    for (int i = 0; i < f->n; i++) sum += f->data[i];
    printf("%d %zu %zu\n", sum, sizeof(struct flex), sizeof(struct zero));
    for (int i = 0; i < fixed.n; i++) printf("%d ", fixed.data[i]);
    struct zero *z = calloc(1, sizeof *z + 2 * sizeof(int));
    z->data[1] = 7;
    printf("%d %d\n", z->data[0], z->data[1]);
    f = realloc(f, sizeof *f + 8 * sizeof(short));
    memset(f->data + 5, 0, 3 * sizeof(short));
    f->n = 8;
    for (int i = 0; i < f->n; i++) printf("%d ", f->data[i]);
    printf("\n");
    free(f);
    free(z);
    return 0;
}
