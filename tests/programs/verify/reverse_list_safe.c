// Reversing a list twice gives the list back.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int v; struct node *next; };

static struct node *reverse(struct node *l) {
    struct node *r = 0;
    while (l) {
        struct node *n = l->next;
        l->next = r;
        r = l;
        l = n;
    }
    return r;
}

int main(void) {
    struct node a[10];
    for (int i = 0; i < 10; i++) {
        a[i].v = __VERIFIER_nondet_int();
        a[i].next = i < 9 ? &a[i + 1] : 0;
    }
    struct node *l = reverse(reverse(a));
    int i = 0;
    for (; l; l = l->next, i++)
        if (l->v != a[i].v) reach_error();
    if (i != 10) reach_error();
    return 0;
}
