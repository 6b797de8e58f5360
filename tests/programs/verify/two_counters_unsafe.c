// Two counters with different speeds keep their relation.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 100;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 10000);
    for (int i = 0; i < n; i++) {
        x++;
        y += (i & 15) != 3;
    }
    if (y < x) reach_error();
    return 0;
}
