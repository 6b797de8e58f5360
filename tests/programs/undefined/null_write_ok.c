// The null struct pointer is left alone.
#include <stdlib.h>

struct s { int a, b; };

static struct s *find(int key) {
    static struct s table[2] = {{1, 10}, {2, 20}};
    for (int i = 0; i < 2; i++)
        if (table[i].a == key) return &table[i];
    return NULL;
}

int main(void) {
    struct s *n = find(3);
    if (n) n->b = 3;
    return find(2)->b;
}
