// Dijkstra's flag: three colours in one pass: the last element is not looked at.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 8

int main(void) {
    unsigned char a[N];
    for (int i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(a[i] < 3);
    }
    int low = 0, at = 0, high = N - 1;
    while (at < high) {
        if (a[at] == 0) {
            unsigned char t = a[low];
            a[low++] = a[at];
            a[at++] = t;
        } else if (a[at] == 2) {
            unsigned char t = a[high];
            a[high--] = a[at];
            a[at] = t;
        } else {
            at++;
        }
    }
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i]) reach_error();
    return 0;
}
