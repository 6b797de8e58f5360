// Bottom-up merge sort sorts: the last merge is missing.
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

#define N 8

int main(void) {
    short a[N], b[N];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_short();
    for (int width = 1; width < N / 2; width *= 2) {
        for (int lo = 0; lo < N; lo += 2 * width) {
            int i = lo, j = lo + width, mid = lo + width, hi = lo + 2 * width;
            for (int k = lo; k < hi; k++) {
                if (i < mid && (j >= hi || a[i] <= a[j])) b[k] = a[i++];
                else b[k] = a[j++];
            }
        }
        for (int k = 0; k < N; k++) a[k] = b[k];
    }
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i]) reach_error();
    return 0;
}
