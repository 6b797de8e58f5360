// Structs by value: assignment, parameters, results, arrays inside, chained.
#include <stdio.h>

struct point { int x, y; };
struct line { struct point from, to; char name[5]; };

static struct point add(struct point a, struct point b) {
    a.x += b.x;
    a.y += b.y;
    return a;
}

static struct line mirror(struct line l) {
    struct line r = {l.to, l.from, "rev"};
    l.from.x = 1000;
    return r;
}

int main(void) {
    struct point p = {1, 2}, q = {10, 20}, r;
    r = p = add(p, q);
    printf("%d %d %d %d\n", p.x, p.y, r.x, r.y);
    struct line l = {p, {3, 4}, "ab"};
    struct line m = mirror(l);
    printf("%d %d %d %s %d\n", m.from.x, m.to.x, m.to.y, m.name, l.from.x);
    printf("%d\n", add(mirror(m).from, (struct point){5, 5}).y);
    printf("%c\n", mirror(l).name[1]);
    struct line arr[3] = {l, m};
    arr[2] = arr[0];
    arr[0].to.x = 77;
    printf("%d %d %d\n", arr[2].to.x, arr[0].to.x, arr[1].name[0]);
    return 0;
}
