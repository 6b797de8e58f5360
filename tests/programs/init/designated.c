// Designated initialisers: out of order, nested, ranges, overriding, arrays of unknown size.
#include <stdio.h>

struct p { int x, y, z; };
struct q { struct p a[3]; int n; };

int main(void) {
    struct p p = {.z = 3, .x = 1};
    int a[] = {[5] = 50, 60, [2] = 20, 30, [0] = 1};
    int r[10] = {[0 ... 3] = 7, [2] = 8, [6 ... 9] = 9};
    struct q q = {.a[1].y = 5, 6, .a[0] = {1, 2}, .n = 9, .a[1].x = 4};
    struct p arr[4] = {{1}, [2].y = 22, 23, {31, 32}};
    printf("%d %d %d\n", p.x, p.y, p.z);
    printf("%zu:", sizeof a / sizeof *a);
    for (unsigned i = 0; i < sizeof a / sizeof *a; i++) printf(" %d", a[i]);
    printf("\n");
    for (int i = 0; i < 10; i++) printf("%d ", r[i]);
    printf("\n");
    for (int i = 0; i < 3; i++) printf("%d %d %d; ", q.a[i].x, q.a[i].y, q.a[i].z);
    printf("%d\n", q.n);
    for (int i = 0; i < 4; i++) printf("%d %d %d; ", arr[i].x, arr[i].y, arr[i].z);
    printf("\n");
    return 0;
}
