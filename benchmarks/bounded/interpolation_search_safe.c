// Interpolation search finds what is there.
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 4

int main(void) {
    unsigned short a[N];
    for (int i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_uchar();
        if (i > 0) __VERIFIER_assume(a[i - 1] < a[i]);
    }
    unsigned where = __VERIFIER_nondet_uint();
    __VERIFIER_assume(where < N);
    unsigned short key = a[where];
    unsigned short lo = 0, hi = N - 1, at = 0;
    int found = 0;
    for (int turn = 0; turn < N && !found && a[lo] <= key && key <= a[hi]; turn++) {
        if (a[hi] == a[lo]) {
            at = lo;
            found = a[lo] == key;
            break;
        }
        at = lo + (unsigned short)((key - a[lo]) * (hi - lo)) / (unsigned short)(a[hi] - a[lo]);
        if (a[at] == key) found = 1;
        else if (a[at] < key) lo = at + 1;
        else hi = at - 1;
    }
    if (!found || at != where) reach_error();
    return 0;
}
