// qsort and bsearch with callbacks on integers, strings and structs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static int cmp_int(const void *a, const void *b) {
    calls++;
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int cmp_str(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
struct rec { int key; char name[6]; };
static int cmp_rec(const void *a, const void *b) { return ((const struct rec *)b)->key - ((const struct rec *)a)->key; }

int main(void) {
    int v[40];
    unsigned seed = 7;
    for (int i = 0; i < 40; i++) {
        seed = seed * 1103515245 + 12345;
        v[i] = (int)(seed >> 16) % 1000 - 500;
    }
    qsort(v, 40, sizeof *v, cmp_int);
    for (int i = 0; i < 40; i++) printf("%d ", v[i]);
    printf("\n");
    int *hit = bsearch(&v[11], v, 40, sizeof *v, cmp_int);
    int missing = 12345;
    printf("%d %d\n", *hit == v[11], bsearch(&missing, v, 40, sizeof *v, cmp_int) == 0);
    char *names[] = {"pear", "apple", "fig", "banana", "date"};
    qsort(names, 5, sizeof *names, cmp_str);
    for (int i = 0; i < 5; i++) printf("%s ", names[i]);
    struct rec r[] = {{3, "three"}, {9, "nine"}, {1, "one"}, {5, "five"}};
    qsort(r, 4, sizeof *r, cmp_rec);
    for (int i = 0; i < 4; i++) printf("%s ", r[i].name);
    printf("%d\n", calls > 40);
    qsort(v, 0, sizeof *v, cmp_int);
    qsort(v, 1, sizeof *v, cmp_int);
    return 0;
}
