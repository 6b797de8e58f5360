// Static initialisers that are addresses: of objects, members, elements, functions, strings.
#include <stdio.h>

static int arr[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
struct s { int a; struct { int b[3]; } in; } obj = {1, {{2, 3, 4}}};
int *p = &arr[3];
int *q = arr + 5 - 1;
int *r = &obj.in.b[2];
char *text = "hello" + 1;
char chars[] = "hello";
int (*fn)(const char *, ...) = printf;
static int twice(int x) { return 2 * x; }
int (*table[])(int) = {twice, &twice, 0};
struct list { int v; struct list *next; };
struct list three = {3, 0}, two = {2, &three}, one = {1, &two};
void *self = &self;
long diff = (char *)&arr[4] - (char *)&arr[1];
int *end = &arr[10];
unsigned long size = sizeof(arr) / sizeof(arr[0]) + (unsigned long)(3 > 2);

int main(void) {
    printf("%d %d %d %s %s\n", *p, *q, *r, text, chars);
    fn("%d %d\n", table[0](4), table[1](5));
    int sum = 0;
    for (struct list *l = &one; l; l = l->next) sum = sum * 10 + l->v;
    printf("%d %d %ld %td %lu %d\n", sum, self == (void *)&self, diff, end - arr, size, table[2] == 0);
    return 0;
}
