// Shell sort sorts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 7

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (int gap = 3; gap > 0; gap /= 2)
        for (int i = gap; i < N; i++)
            for (int j = i; j >= gap && a[j - gap] > a[j]; j -= gap) {
                int t = a[j];
                a[j] = a[j - gap];
                a[j - gap] = t;
            }
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i]) reach_error();
    return 0;
}
