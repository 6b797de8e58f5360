// Large values are cut on the way.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 100

int main(void) {
    int a[N], b[N];
    for (int i = 0; i < N; i++) a[i] = i * i - 50 * i;
    for (int i = 0; i < N; i++) b[i] = (short)(a[i] * 16) / 16;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N) return 0;
    if (a[k] != b[k]) reach_error();
    return 0;
}
