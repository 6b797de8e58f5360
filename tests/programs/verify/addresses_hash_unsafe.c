// Two keys may well have the same hash.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct entry {
    void *key;
    int value;
};
struct entry table[4];

unsigned slot(void *key) {
    return ((uintptr_t)key >> 3) & 3;
}

int put(void *key, int value) {
    unsigned at = slot(key);
    for (int i = 0; i < 4; i++, at = (at + 1) & 3) {
        if (!table[at].key || table[at].key == key) {
            table[at].key = key;
            table[at].value = value;
            return i;
        }
    }
    return -1;
}

int get(void *key) {
    unsigned at = slot(key);
    for (int i = 0; i < 4; i++, at = (at + 1) & 3)
        if (table[at].key == key)
            return table[at].value;
    return -1;
}

long x, y;

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    put(&x, 1);
    if (put(&y, 2) != 0)
        reach_error();
    return 0;
}
