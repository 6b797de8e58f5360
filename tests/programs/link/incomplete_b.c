#include <stdlib.h>

struct opaque { int v; };
struct opaque *make(int v) {
    struct opaque *o = malloc(sizeof *o);
    o->v = v * 3;
    return o;
}
int get(const struct opaque *o) { return o->v; }
void drop(struct opaque *o) { free(o); }
int numbers[] = {1, 2, 3};
const int count = sizeof numbers / sizeof *numbers;
