// Uninitialised data is copied in every way, and nobody asks what it is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part { char tag; int number; double real; char *name; };
union word { unsigned whole; unsigned char bytes[4]; float real; };

static struct part give(void) {
    struct part p;
    p.tag = 'x';
    return p;
}

static int pass(int v) { return v; }
static void *keep(void *p) { return p; }

int main(void) {
    struct part a = give(), b, c, list[3];
    b = a;
    memcpy(&c, &b, sizeof c);
    list[1] = c;
    list[2] = list[1];
    union word u, v;
    u.bytes[1] = 7;
    v.whole = u.whole;
    // By bytes, by words, by pointers, by floats.
    unsigned char from[37], to[37];
    from[5] = 5;
    for (int i = 0; i < 37; i++) to[i] = from[i];
    unsigned long *w = malloc(8 * sizeof *w), *x = malloc(8 * sizeof *x);
    if (!w || !x) return 1;
    w[6] = 66;
    for (int i = 0; i < 8; i++) x[i] = w[i];
    double d[4], e[4];
    d[0] = 1.5;
    for (int i = 0; i < 4; i++) e[i] = d[i];
    void *p[3], *q[3];
    p[2] = &d;
    for (int i = 0; i < 3; i++) q[i] = keep(p[i]);
    // Through a function and through arithmetic that nobody looks at.
    int n, unused;
    unused = pass(n) * 3 + 1;
    (void)unused;
    printf("%c %d %d %lu %.1f %d\n", list[2].tag, v.bytes[1], to[5], x[6], e[0], q[2] == (void *)&d);
    free(w);
    free(x);
    return 0;
}
