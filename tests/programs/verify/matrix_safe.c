// The transpose of the transpose is the matrix.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 3

static void transpose(int m[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++) {
            int t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}

int main(void) {
    int a[N][N], b[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = b[i][j] = __VERIFIER_nondet_int();
    transpose(a);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (a[i][j] != b[j][i]) reach_error();
    return 0;
}
