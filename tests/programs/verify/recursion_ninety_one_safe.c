// McCarthy's function, which calls itself on its own result.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int ninety_one(int x) {
    if (x > 100)
        return x - 10;
    return ninety_one(ninety_one(x + 11));
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 200)
        return 0;
    int r = ninety_one(x);
    if (!(r == 91 || (x > 101 && r == x - 10)))
        reach_error();
    return 0;
}
