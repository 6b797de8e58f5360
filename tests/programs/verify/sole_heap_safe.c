// No inputs: a list on the heap, sorted by a function through a pointer, with pointers that are copied.
#include <stdlib.h>
#include <string.h>
void reach_error(void);

struct node { int key; struct node *next; unsigned tag : 5; };

static int order(const void *a, const void *b) {
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    return x->key < y->key ? -1 : x->key > y->key;
}

int main(void) {
    enum { N = 40 };
    struct node *all[N], *copy[N], *head = 0;
    for (int i = 0; i < N; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 0;
        n->key = i * 37 % 101;
        n->tag = (unsigned)i;
        n->next = head;
        head = all[i] = n;
    }
    memcpy(copy, all, sizeof all);
    qsort(copy, N, sizeof *copy, order);
    for (int i = 1; i < N; i++)
        if (copy[i - 1]->key >= copy[i]->key)
            reach_error();
    int sum = 0;
    for (struct node *n = head; n; n = n->next)
        sum += (int)n->tag;
    if (sum != 524)
        reach_error();
    return 0;
}
