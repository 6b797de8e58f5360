// __builtin_object_size where the pointer's expression names the object, as gcc answers at every level of
// optimisation: to the end of the object (0, 2) or of the member or array (1, 3); -1 or 0 if unknown.
#include <stdio.h>

struct inner {
    char name[5];
    int count;
};

struct outer {
    int x;
    char text[10];
    struct inner in[3];
    char tail[];
};

struct short_tail {
    int n;
    char last[1];
};

char global[64];
struct outer object;
struct short_tail short_tail;
extern char later[];
char later[3];

#define SHOW(e)                                                                                                  \
    printf("%-16s %d %d %d %d\n", #e, (int)__builtin_object_size(e, 0), (int)__builtin_object_size(e, 1),        \
           (int)__builtin_object_size(e, 2), (int)__builtin_object_size(e, 3))

static void show(char parameter[10], int i) {
    int a[10], m[5][10], vla[i + 3];
    struct outer s;
    union {
        char c;
        long long big;
        char arr[3];
    } u;
    SHOW(a);
    SHOW(&a);
    SHOW(&a[2]);
    SHOW(&a[i]);
    SHOW(&a[10]);
    SHOW(&a[12]);
    SHOW(m);
    SHOW(m[1]);
    SHOW(&m[1][3]);
    SHOW(&s);
    SHOW(&s.x);
    SHOW(s.text);
    SHOW(&s.text[3]);
    SHOW(&s.in[1]);
    SHOW(&s.in[1].count);
    SHOW(s.in[2].name);
    SHOW(s.tail);
    SHOW(&u);
    SHOW(&u.c);
    SHOW(u.arr);
    SHOW(&i);
    SHOW(parameter);
    SHOW(vla);
    SHOW("hello");
    SHOW(global);
    SHOW((void *)&a[3]);
    SHOW(&*global);
    SHOW(({ global; }));
    SHOW(later);
    SHOW(object.tail);
    SHOW(short_tail.last);
    SHOW(show);
    SHOW((void *)0);
    // Its argument is not evaluated.
    printf("%d\n", (int)__builtin_object_size(global + i++, 2));
    printf("%d\n", i);
}

int main(void) {
    show(global, 2);
    return 0;
}
