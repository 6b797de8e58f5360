// The low bits of an aligned pointer hold a mark, and the pointer comes back.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    struct node *n = malloc(sizeof *n);
    if (!n)
        return 0;
    int x = n->value = __VERIFIER_nondet_int();
    uintptr_t mark = __VERIFIER_nondet_int() & 3;
    uintptr_t word = (uintptr_t)n | mark;
    n->next = (struct node *)word;
    struct node *m = (struct node *)((uintptr_t)n->next & ~(uintptr_t)3);
    if (m != n || m->value != x || ((uintptr_t)n->next & 3) != mark)
        reach_error();
    return 0;
}
