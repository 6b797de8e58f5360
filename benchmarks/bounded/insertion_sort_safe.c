// Insertion sort sorts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 6

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < N; i++) {
        int x = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i]) reach_error();
    return 0;
}
