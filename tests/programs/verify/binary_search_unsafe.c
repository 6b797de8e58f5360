// The search stops when one element is left.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 50

static int find(const int *a, int key) {
    int lo = 0, hi = N - 1;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] == key) return mid;
        if (a[mid] < key) lo = mid + 1;
        else hi = mid - 1;
    }
    return -1;
}

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++) a[i] = 3 * i - 20;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= N) return 0;
    if (find(a, a[k]) != k) reach_error();
    return 0;
}
