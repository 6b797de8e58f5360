// Pointer arithmetic, multi-level pointers, arrays of arrays, void and char views.
#include <stdio.h>
#include <string.h>

int main(void) {
    int m[3][4];
    for (int i = 0; i < 12; i++) (&m[0][0])[i] = i;
    int (*row)[4] = m;
    printf("%d %d %d\n", row[1][2], *(*(row + 2) + 1), (*(m + 1))[3]);
    int *p = m[2];
    int **pp = &p, ***ppp = &pp;
    ***ppp = 80;
    printf("%d %d\n", m[2][0], *(*pp + 1));
    printf("%td %td %td\n", &m[2][1] - &m[0][3], row + 2 - row, (char *)&m[1] - (char *)m);
    const char *words[] = {"zero", "one", "two", 0};
    int n = 0;
    for (const char **w = words; *w; w++) n += strlen(*w);
    printf("%d %c %c\n", n, *words[1], *(words[2] + 2));
    void *v = m;
    unsigned char *bytes = v;
    printf("%d %d\n", bytes[4], *(int *)(bytes + 8));
    int *end = &m[2][3] + 1;
    int sum = 0;
    for (int *q = &m[0][0]; q != end; ++q) sum += *q;
    printf("%d\n", sum);
    char *volatile vp = (char *)words[0];
    printf("%s\n", vp + 2);
    int x = 5, *const cp = &x;
    *cp += 2;
    printf("%d %d\n", x, (-1)[cp + 1] == x);
    void *gnu = m;
    gnu += 4;
    printf("%d\n", *(int *)gnu);
    return 0;
}
