// The transpose of a product is the product of the transposes.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 2

int main(void) {
    unsigned char a[N][N], b[N][N], c[N][N], d[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = __VERIFIER_nondet_uchar() & 7;
            b[i][j] = __VERIFIER_nondet_uchar() & 7;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            unsigned char sum = 0, other = 0;
            for (int k = 0; k < N; k++) {
                sum += (unsigned char)(a[i][k] * b[k][j]);
                other += (unsigned char)(b[k][j] * a[i][k]);
            }
            c[i][j] = sum;
            d[j][i] = other;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (c[i][j] != d[j][i]) reach_error();
    return 0;
}
