// A search tree finds what was inserted, and only that.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 4

struct node {
    unsigned char key;
    struct node *child[2];
};

int main(void) {
    struct node *root = 0;
    unsigned char keys[N];
    for (int i = 0; i < N; i++) {
        keys[i] = __VERIFIER_nondet_uchar();
        struct node **at = &root;
        while (*at && (*at)->key != keys[i]) at = &(*at)->child[keys[i] > (*at)->key];
        if (*at) continue;
        struct node *n = malloc(sizeof *n);
        if (!n) return 0;
        n->key = keys[i];
        n->child[0] = n->child[1] = 0;
        *at = n;
    }
    unsigned char wanted = __VERIFIER_nondet_uchar();
    int inserted = 0;
    for (int i = 0; i < N; i++) inserted |= keys[i] == wanted;
    struct node *p = root;
    while (p && p->key != wanted) p = p->child[wanted > p->key];
    if ((p != 0) != inserted) reach_error();
    return 0;
}
