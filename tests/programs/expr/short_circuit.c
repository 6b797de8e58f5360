// Conditional evaluation with side effects; the GNU form `a ?: b` evaluates once.
#include <stdio.h>

static int count;
static int hit(int v) {
    count++;
    return v;
}

int main(void) {
    int r = 0;
    r += hit(0) && hit(1);
    r += hit(1) || hit(1);
    r += hit(1) && hit(2) || hit(3);
    printf("%d %d\n", r, count);
    count = 0;
    printf("%d %d\n", hit(5) ?: hit(6), hit(0) ?: 9);
    printf("%d\n", count);
    count = 0;
    for (int i = 0; i < 4; i++) {
        int v = (i & 1 ? hit(1) : i & 2 ? hit(2) + hit(2) : 0);
        printf("%d ", v);
    }
    printf("%d\n", count);
    if (!(hit(0) || hit(0)) && !!hit(3)) printf("%d\n", count);
    char *p = 0;
    if (p && *p) printf("never\n");
    double d = 0.0;
    printf("%d %d %d\n", !d, d || 0.5, (d ? 1 : 2));
    void *v = p ?: (void *)"x";
    printf("%s\n", (char *)v);
    return 0;
}
