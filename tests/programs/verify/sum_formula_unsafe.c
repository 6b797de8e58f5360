// The formula is wrong for one n only.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 60000) return 0;
    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++) sum += i;
    if (sum * 2 != n * (n + 1 + (n == 4242))) reach_error();
    return 0;
}
