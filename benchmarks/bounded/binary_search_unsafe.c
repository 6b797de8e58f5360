// Binary search finds what is there: the end is not searched.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 8

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (i > 0) __VERIFIER_assume(a[i - 1] < a[i]);
    }
    unsigned where = __VERIFIER_nondet_uint();
    __VERIFIER_assume(where < N);
    int key = a[where];
    int lo = 0, hi = N - 2;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (a[mid] < key) lo = mid + 1;
        else hi = mid;
    }
    if (lo != (int)where) reach_error();
    return 0;
}
