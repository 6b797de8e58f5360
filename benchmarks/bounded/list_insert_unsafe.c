// Sorted insertion into a linked list: nothing is put at the end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 4

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *first = 0;
    for (int i = 0; i < N; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) return 0;
        n->value = __VERIFIER_nondet_int();
        struct node **at = &first;
        while (*at && (*at)->value < n->value && (*at)->next) at = &(*at)->next;
        n->next = *at;
        *at = n;
    }
    int count = 0;
    for (struct node *p = first; p; p = p->next) {
        count++;
        if (p->next && p->value > p->next->value) reach_error();
    }
    if (count != N) reach_error();
    return 0;
}
