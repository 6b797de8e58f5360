// Bellman and Ford find what all paths of a small graph say.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 4

int main(void) {
    unsigned w[N][N], d[N], all[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            w[i][j] = __VERIFIER_nondet_uchar();
            __VERIFIER_assume(w[i][j] < 16);
            all[i][j] = i == j ? 0 : w[i][j];
        }
    for (int i = 0; i < N; i++) d[i] = i == 0 ? 0 : 1000;
    for (int round = 0; round < N - 1; round++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (d[i] + w[i][j] < d[j]) d[j] = d[i] + w[i][j];
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (all[i][k] + all[k][j] < all[i][j]) all[i][j] = all[i][k] + all[k][j];
    for (int i = 0; i < N; i++)
        if (d[i] != all[0][i]) reach_error();
    return 0;
}
