// An input function of a harness may give a record; like any input function it changes nothing.
#include <assert.h>
#include <stdlib.h>

struct point {
    int x, y;
};

struct point nondet_point(void);

int visible = 7;

int main(void) {
    struct point p = nondet_point();
    if (p.x > 100 || p.x < 0 || p.y > 100 || p.y < 0)
        abort();
    assert(p.x + p.y <= 200);
    assert(visible == 7);
    return 0;
}
