// Compound literals: of scalars, arrays and structs, at file scope and modified in blocks.
#include <stdio.h>

struct p { int x, y; };
int *global = (int[]){1, 2, 3};
struct p *gp = &(struct p){4, 5};

static int sum(const int *v, int n) {
    int s = 0;
    while (n--) s += *v++;
    return s;
}

static struct p *keep(struct p *p) {
    p->x++;
    return p;
}

int main(void) {
    global[1] = 20;
    gp->x *= 10;
    printf("%d %d %d\n", global[0] + global[1], gp->x, gp->y);
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    printf("%d\n", keep(&(struct p){.y = 3, .x = 9})->x);
    printf("%s\n", (char[]){"text"});
    int total = 0;
    for (int i = 0; i < 3; i++) {
        struct p *fresh = &(struct p){i};
        total += keep(fresh)->x * 10 + fresh->y;
    }
    printf("%d\n", total);
    int *ip = &(int){5};
    *ip += 1;
    printf("%d %d\n", *ip, ((struct p){7, 8}).y);
    (struct p){1, 2};
    return 0;
}
