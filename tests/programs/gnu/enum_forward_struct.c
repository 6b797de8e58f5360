// Incomplete types, self reference, arrays of pointers to functions returning pointers.
#include <stdio.h>

struct list;
typedef struct list *(*step)(struct list *, int);
struct list { int v; struct list *next; step how; };
static struct list pool[8];
static int used;

static struct list *push(struct list *l, int v) {
    struct list *n = &pool[used++];
    n->v = v;
    n->next = l;
    n->how = l ? l->how : push;
    return n;
}

int main(void) {
    struct list *l = 0;
    step steps[] = {push, push, *push, &push};
    for (int i = 0; i < 4; i++) l = steps[i](l, i * i);
    l = l->how(l, 99);
    for (struct list *p = l; p; p = p->next) printf("%d ", p->v);
    printf("\n%d\n", sizeof(*l->how(l, 1)) == sizeof(struct list));
    char *(*(*weird[2])(int))[3] = {0};
    printf("%zu\n", sizeof weird / sizeof *weird);
    return 0;
}
