// malloc, calloc, realloc, free, aligned_alloc and alloca in ordinary use.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>

struct node { int v; struct node *next; };

static struct node *push(struct node *list, int v) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = v;
    n->next = list;
    return n;
}

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 50; i++) list = push(list, i);
    int sum = 0;
    while (list) {
        struct node *next = list->next;
        sum = sum * 3 + list->v;
        free(list);
        list = next;
    }
    printf("%d\n", sum);
    int *z = calloc(10, sizeof *z);
    for (int i = 0; i < 10; i++) sum += z[i];
    for (int i = 0; i < 10; i++) z[i] = i;
    z = realloc(z, 20 * sizeof *z);
    for (int i = 10; i < 20; i++) z[i] = z[i - 10] * 2;
    z = realloc(z, 5 * sizeof *z);
    printf("%d %d %d\n", sum, z[4], z[0]);
    free(z);
    free(NULL);
    char *r = realloc(NULL, 4);
    strcpy(r, "abc");
    printf("%s\n", r);
    free(r);
    int *stack = alloca(3 * sizeof(int));
    stack[2] = 9;
    double *al = aligned_alloc(32, 64);
    al[7] = 2.5;
    printf("%d %g %d\n", stack[2], al[7], (int)((unsigned long)al % 32));
    free(al);
    void *none = malloc(0);
    free(none);
    return 0;
}
