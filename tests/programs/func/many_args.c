// Many parameters of mixed types, in registers and on the stack.
#include <stdio.h>

static double mix(char a, double b, short c, float d, long long e, int f, double g, unsigned char h, long i,
                  float j, int *k, double l, double m, double n, double o, double p, long double q, _Bool r) {
    return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + *k * 11 + l + m + n + o + p +
           (double)q * 12 + r;
}

struct small { char c; };
struct odd { char c[3]; };
struct large { int v[10]; };
static int structs(struct small s, int a, struct odd o, struct large l, struct small t, long long b) {
    return s.c + a * 2 + o.c[2] * 3 + l.v[9] * 4 + t.c * 5 + (int)b;
}

int main(void) {
    int k = 11;
    printf("%.3f\n", mix(1, 2.5, 3, 4.5f, 5, 6, 7.25, 8, 9, 10.5f, &k, .1, .2, .3, .4, .5, 12.75L, 5));
    struct large l = {{0}};
    l.v[9] = 7;
    printf("%d\n", structs((struct small){1}, 2, (struct odd){{3, 4, 5}}, l, (struct small){6}, 1LL << 33 | 5));
    return 0;
}
