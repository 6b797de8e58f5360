// Two functions that call each other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int is_even(int n);

int is_odd(int n) {
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

int is_even(int n) {
    if (n == 0)
        return 1;
    return is_odd(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int r = is_odd(n);
    if (r != n % 2)
        reach_error();
    return 0;
}
