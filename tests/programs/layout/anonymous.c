// Anonymous structs and unions, nested, with initialisers that reach through them.
#include <stdio.h>
#include <stddef.h>

struct node {
    int kind;
    union {
        struct { int left, right; };
        long long both;
        struct { char text[4]; union { int deep; float real; }; };
    };
    int tail;
};

int main(void) {
    struct node a = {1, {{2, 3}}, 4};
    struct node b = {.kind = 5, .left = 6, .right = 7, .tail = 8};
    struct node c = {.both = 0x0000000900000008LL, .tail = 10};
    struct node d = {.text = "ab", .deep = 11};
    printf("%d %d %d %d\n", a.kind, a.left, a.right, a.tail);
    printf("%d %d %d %d %llx\n", b.kind, b.left, b.right, b.tail, b.both);
    printf("%d %d %d\n", c.left, c.right, c.tail);
    printf("%s %d %d %d\n", d.text, d.deep, d.right, d.tail);
    printf("%zu %zu %zu\n", offsetof(struct node, right), offsetof(struct node, real), sizeof(struct node));
    return 0;
}
