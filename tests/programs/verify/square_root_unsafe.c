// Squares are rounded down.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000000) return 0;
    unsigned r = 0;
    while ((r + 1) * (r + 1) < n) r++;
    if (r * r > n || (r + 1) * (r + 1) <= n) reach_error();
    return 0;
}
