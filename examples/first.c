// Reads numbers and keeps the largest. Is the largest always found?
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int largest = 0;
    int seen[4];
    for (int i = 0; i < 4; i++) {
        seen[i] = __VERIFIER_nondet_int();
        if (seen[i] > largest) largest = seen[i];
    }
    printf("largest of %d %d %d %d: %d\n", seen[0], seen[1], seen[2], seen[3], largest);
    int found = 0;
    for (int i = 0; i < 4; i++) found |= seen[i] == largest;
    if (!found) reach_error();
    return 0;
}
