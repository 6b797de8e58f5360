// From a member back to its structure: no address is looked at.
#include <stddef.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct link {
    struct link *next;
};
struct item {
    int key;
    struct link link;
};

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    struct item it;
    it.key = 7;
    struct link *l = &it.link;
    struct item *back = (struct item *)((char *)l - offsetof(struct item, link));
    if (back != &it || back->key != 7 || (char *)l - (char *)back != offsetof(struct item, link))
        reach_error();
    return 0;
}
