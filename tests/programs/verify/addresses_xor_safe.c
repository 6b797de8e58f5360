// A list whose links are sums of two addresses.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    uintptr_t link;
};

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    struct node n[3];
    for (int i = 0; i < 3; i++)
        n[i].value = i;
    n[0].link = (uintptr_t)&n[1];
    n[1].link = (uintptr_t)&n[0] ^ (uintptr_t)&n[2];
    n[2].link = (uintptr_t)&n[1];
    uintptr_t before = 0;
    struct node *at = &n[0];
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += at->value;
        struct node *next = (struct node *)(at->link ^ before);
        before = (uintptr_t)at;
        at = next;
    }
    if (sum != 3)
        reach_error();
    return 0;
}
