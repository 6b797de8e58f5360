// A list reversed twice is the list.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 6

struct node {
    unsigned char value;
    struct node *next;
};

static struct node *reverse(struct node *p) {
    struct node *back = 0;
    while (p) {
        struct node *next = p->next;
        p->next = back;
        back = p;
        p = next;
    }
    return back;
}

int main(void) {
    unsigned char copy[N];
    struct node *first = 0;
    for (int i = 0; i < N; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) return 0;
        copy[i] = n->value = __VERIFIER_nondet_uchar();
        n->next = first;
        first = n;
    }
    struct node *p = reverse(first);
    for (int i = 0; i < N; i++) {
        if (p->value != copy[i]) reach_error();
        p = p->next;
    }
    if (p) reach_error();
    return 0;
}
