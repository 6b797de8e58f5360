// The third object at the same place, and a struct of which one member was set: its copy is looked at.
#include <stdlib.h>
extern void reach_error(void);
struct part { int a; char b; double d; };

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct part *p = malloc(sizeof *p);
        if (!p) return 0;
        p->b = i;
        struct part q = *p;
        if (i == 2 && q.a == 12345 && q.d == 2.5) reach_error();
        free(p);
    }
    return 0;
}
