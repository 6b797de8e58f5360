// Initialisers with missing and surplus braces, strings in braces, and nested arrays.
#include <stdio.h>

int m[2][3] = {1, 2, 3, 4, 5};
int n[2][3] = {{1}, {4, 5}};
char s[] = {"brace"};
char t[3] = "abc";
char u[6] = "ab";
char v[][4] = {"x", "yz", {'p', 'q'}};
struct { int a[2]; char c; } w[] = {1, 2, 'a', {3, 4}, 'b', {{5}, 'c'}};
int scalar = {42};
union { int i; char c[8]; } un = {0x41424344};

int main(void) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) printf("%d/%d ", m[i][j], n[i][j]);
    printf("\n%s %zu %c%c%c %s %d\n", s, sizeof s, t[0], t[1], t[2], u, u[5]);
    printf("%zu %s %s %s\n", sizeof v, v[0], v[1], v[2]);
    for (unsigned i = 0; i < sizeof w / sizeof *w; i++) printf("%d %d %c|", w[i].a[0], w[i].a[1], w[i].c ? w[i].c : '-');
    printf("\n%d %s\n", scalar, un.c);
    int local[3][2] = {[1] = {7}, {8, 9}};
    for (int i = 0; i < 6; i++) printf("%d ", (&local[0][0])[i]);
    printf("\n");
    return 0;
}
