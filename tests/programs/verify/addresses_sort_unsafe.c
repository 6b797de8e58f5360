// Which object comes first when sorted by address is not known.
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
    if (order[0] == &z)
        reach_error();
    return 0;
}
