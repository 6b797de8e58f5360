// A linked list of n nodes has length n.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    struct node *list = 0;
    for (int i = 0; i < n; i++) {
        struct node *p = malloc(sizeof *p);
        if (!p) return 0;
        p->next = list;
        list = p;
    }
    int length = 0;
    while (list) {
        struct node *p = list;
        list = p->next;
        free(p);
        length++;
    }
    if (length != n) reach_error();
    return 0;
}
