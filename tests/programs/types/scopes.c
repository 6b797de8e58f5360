// Scopes and name spaces: tags, labels, members and objects with one name; shadowing.
#include <stdio.h>

int x = 1;
struct x { int x; };
static int y = 10;

static int get(void) {
    extern int x;
    return x;
}

int main(void) {
    struct x x = {2};
    goto y;
y:
    printf("%d %d %d\n", x.x, get(), y);
    for (int y = 0; y < 2; y++) {
        int y = 7;
        printf("%d ", y++);
    }
    {
        struct x { char c[9]; };
        printf("%zu ", sizeof(struct x));
        enum { y = 33 };
        printf("%d\n", y);
    }
    printf("%zu %d\n", sizeof(struct x), y);
    {
        extern int x;
        printf("%d\n", x);
    }
    int z = sizeof z;
    printf("%d\n", z);
    if (sizeof(enum { IN = 4 }) && IN == 4) printf("%d\n", IN);
    return 0;
}
