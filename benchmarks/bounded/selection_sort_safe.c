// Selection sort sorts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 5

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < N - 1; i++) {
        int least = i;
        for (int j = i + 1; j < N; j++)
            if (a[j] < a[least]) least = j;
        int t = a[i];
        a[i] = a[least];
        a[least] = t;
    }
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i]) reach_error();
    return 0;
}
