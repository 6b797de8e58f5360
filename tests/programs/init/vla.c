// Variable-length arrays: sizeof at run time, two dimensions, parameters, typedefs, loops.
#include <stdio.h>

static int sum(int n, int m, int a[n][m]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j];
    return s;
}

static void fill(int n, int a[static n], int v) {
    for (int i = 0; i < n; i++) a[i] = v + i;
}

int main(void) {
    for (int n = 1; n < 5; n++) {
        int a[n];
        fill(n, a, n);
        int b[n][n + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) b[i][j] = i * j + a[i];
        printf("%zu %zu %zu %d\n", sizeof a, sizeof b, sizeof b[0], sum(n, n + 1, b));
    }
    int k = 3;
    typedef int row[k];
    k = 10;
    row r;
    fill(3, r, 5);
    printf("%zu %d\n", sizeof(row), r[2]);
    int (*p)[k] = (int(*)[k])(int[20]){[13] = 4};
    printf("%d %zu\n", p[1][3], sizeof *p);
    int evaluated = 0;
    printf("%zu %d\n", sizeof(int[evaluated++ + 2]), evaluated);
    return 0;
}
