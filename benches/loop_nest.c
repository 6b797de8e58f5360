/* Integer loop nest: multiplication of small matrices, many times. */
#include <stdio.h>

#define N 48

static int a[N][N], b[N][N], c[N][N];

int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i * 3 + j;
            b[i][j] = i - j * 2;
        }
    for (int round = 0; round < 800; round++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                int s = 0;
                for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];
                c[i][j] = s;
            }
        sum = sum * 31 + (unsigned)c[round % N][(round * 7) % N];
        a[round % N][3] += round;
    }
    printf("%u\n", sum);
    return 0;
}
