// A list node is read after it was freed.
#include <stdlib.h>

struct node { int v; struct node *next; };

int main(void) {
    struct node *l = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = l;
        l = n;
    }
    int s = 0;
    while (l) {
        s += l->v;
        free(l); l = l->next;
    }
    return s;
}
