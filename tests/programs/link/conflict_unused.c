// Another unit declares the object packed; but nobody uses it there.
#include <stdio.h>

struct pair { char c; int n; };
struct pair shared = {'x', 4};
int other(void);

int main(void) {
    printf("%c %d %d\n", shared.c, shared.n, other());
    return 0;
}
