// Recursive quicksort (Lomuto) sorts.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 4

static unsigned char a[N];

static void quick(int lo, int hi) {
    if (lo >= hi) return;
    unsigned char pivot = a[hi];
    int store = lo;
    for (int i = lo; i < hi; i++)
        if (a[i] < pivot) {
            unsigned char t = a[i];
            a[i] = a[store];
            a[store] = t;
            store++;
        }
    a[hi] = a[store];
    a[store] = pivot;
    quick(lo, store - 1);
    quick(store + 1, hi);
}

int main(void) {
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_uchar();
    quick(0, N - 1);
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i]) reach_error();
    return 0;
}
