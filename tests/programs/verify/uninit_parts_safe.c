// The same where each member that is looked at was set.
#include <stdlib.h>
extern void reach_error(void);
struct part { int a; char b; double d; };

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct part *p = malloc(sizeof *p);
        if (!p) return 0;
        p->b = i;
        struct part q = *p;
        if (q.b != i) reach_error();
        free(p);
    }
    return 0;
}
