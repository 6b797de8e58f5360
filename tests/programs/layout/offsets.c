// offsetof with nested designators and arrays, and container_of style arithmetic.
#include <stdio.h>
#include <stddef.h>

struct inner { char c; int v[3]; };
struct outer { short s; struct inner in[4]; double d; };

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

int main(void) {
    printf("%zu %zu %zu\n", offsetof(struct outer, in), offsetof(struct outer, in[2].v[1]), offsetof(struct outer, d));
    struct outer o = {1, {{2, {3, 4, 5}}, {6, {7, 8, 9}}}, 1.5};
    struct inner *p = &o.in[1];
    struct outer *back = container_of(p - 1, struct outer, in);
    printf("%d %d\n", back == &o, back->in[1].v[2]);
    int *v = &o.in[0].v[1];
    struct inner *i = container_of(v, struct inner, v[1]);
    printf("%d\n", i->c);
    printf("%td %td\n", &o.in[3] - &o.in[1], (char *)&o.d - (char *)&o);
    return 0;
}
