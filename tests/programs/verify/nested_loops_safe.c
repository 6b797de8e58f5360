// Two nested loops count n*m iterations.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 0 || n > 100 || m < 0 || m > 100) return 0;
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) count++;
    if (count != n * m) reach_error();
    return 0;
}
