// Words, characters and sets.
#include <stdio.h>

int main(void) {
    char w[8], set[8], c = '?';
    w[0] = set[0] = 0;
    int n = scanf("%7s %c%7[a-f]", w, &c, set);
    printf("%d [%s] %c [%s]\n", n, w, c, set);
    return 0;
}
