// A list through its links.
#include <stdio.h>
#include <search.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct node { struct node *next, *previous; int value; } a[4] = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {0, 0, 4}};
    insque(&a[0], 0);
    for (int i = 1; i < 4; i++)
        insque(&a[i], &a[__VERIFIER_nondet_int() % i]);
    remque(&a[2]);
    for (struct node *p = &a[0]; p; p = p->next)
        printf("%d ", p->value);
    putchar('\n');
    return 0;
}
