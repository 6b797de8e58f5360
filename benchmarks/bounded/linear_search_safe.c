// Search with a sentinel agrees with plain search.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 20

int main(void) {
    int a[N + 1];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    int key = __VERIFIER_nondet_int();
    int plain = N;
    for (int i = N - 1; i >= 0; i--)
        if (a[i] == key) plain = i;
    a[N] = key;
    int at = 0;
    while (a[at] != key) at++;
    if (at != plain) reach_error();
    return 0;
}
