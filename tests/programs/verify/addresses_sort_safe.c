// Objects sorted by address are in order.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x, y, z;
int *order[3] = {&x, &y, &z};

void sort(void) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if ((uintptr_t)order[j + 1] < (uintptr_t)order[j]) {
                int *t = order[j];
                order[j] = order[j + 1];
                order[j + 1] = t;
            }
}

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    sort();
    if ((uintptr_t)order[0] >= (uintptr_t)order[1] || (uintptr_t)order[1] >= (uintptr_t)order[2])
        reach_error();
    return 0;
}
