// A sorting network for eight inputs sorts: a comparator is missing.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 8

static int a[N];

static void exchange(int i, int j) {
    if (a[i] > a[j]) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

int main(void) {
    static const unsigned char pairs[19][2] = {
        {0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
        {0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {5, 6}, {5, 6},
    };
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (int k = 0; k < 19; k++) exchange(pairs[k][0], pairs[k][1]);
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i]) reach_error();
    return 0;
}
