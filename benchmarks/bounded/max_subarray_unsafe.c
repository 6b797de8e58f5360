// Kadane's sum is the greatest of all sums: a loss is carried on.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define N 4

int main(void) {
    signed char a[N];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_char();
    int best = a[0], here = a[0];
    for (int i = 1; i < N; i++) {
        here = here >= -1 ? here + a[i] : a[i];
        if (here > best) best = here;
    }
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int j = i; j < N; j++) {
            sum += a[j];
            if (sum > best) reach_error();
        }
    }
    return 0;
}
