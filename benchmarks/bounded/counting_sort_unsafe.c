// Counting sort of small values sorts: equal values are taken for unsorted.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 5
#define VALUES 4

int main(void) {
    unsigned char a[N], b[N];
    int count[VALUES] = {0};
    for (int i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(a[i] < VALUES);
        count[a[i]]++;
    }
    for (int v = 1; v < VALUES; v++) count[v] += count[v - 1];
    for (int i = N - 1; i >= 0; i--) b[--count[a[i]]] = a[i];
    for (int i = 1; i < N; i++)
        if (b[i - 1] >= b[i]) reach_error();
    return 0;
}
