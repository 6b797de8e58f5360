// The base case forgets one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int n) { return n <= 1 ? 0 : n + sum(n - 1); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2000) return 0;
    if (sum(n) != n * (n + 1) / 2) reach_error();
    return 0;
}
