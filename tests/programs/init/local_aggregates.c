// Local aggregates initialised with run-time values; the rest is zero.
#include <stdio.h>

struct s { int a; char b[3]; struct { double d; int e; } in; };

static int next(void) {
    static int n;
    return ++n;
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        int a[5] = {next(), next()};
        struct s s = {.in.e = next(), .b = {'x'}};
        struct s t = {next(), "yz", {next() / 2.0}};
        printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[4]);
        printf("%d %d %d %d %g %d\n", s.a, s.b[0], s.b[1], s.b[2], s.in.d, s.in.e);
        printf("%d %c %c %d %g %d\n", t.a, t.b[0], t.b[1], t.b[2], t.in.d, t.in.e);
        a[4] = 99;
        s.a = 99;
    }
    return 0;
}
