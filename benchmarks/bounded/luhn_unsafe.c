// The check digit of Luhn finds every wrong digit: carries are dropped.
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 10

static unsigned check(const unsigned char *d) {
    unsigned sum = 0;
    for (int i = 0; i < N; i++) {
        unsigned v = d[i];
        if (i % 2 == 1) {
            v *= 2;
            if (v > 9) v -= 10;
        }
        sum += v;
    }
    return sum % 10;
}

int main(void) {
    unsigned char d[N];
    for (int i = 0; i < N; i++) {
        d[i] = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(d[i] < 10);
    }
    unsigned before = check(d);
    unsigned at = __VERIFIER_nondet_uint();
    unsigned char wrong = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(at < N && wrong < 10 && wrong != d[at]);
    d[at] = wrong;
    if (check(d) == before) reach_error();
    return 0;
}
