// The sum of the first n numbers is n(n+1)/2.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 60000) return 0;
    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++) sum += i;
    if (sum * 2 != n * (n + 1)) reach_error();
    return 0;
}
