// A NaN with payload, put together from an integer and taken apart again.
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
union word {
    double d;
    unsigned long long u;
};
extern void reach_error(void);

int main(void) {
    union word x, y;
    x.u = __VERIFIER_nondet_ulonglong() | 0xfff8000000000000ull;
    y.d = x.d;
    union word minus;
    minus.d = -y.d;
    if (y.d == y.d || y.u != x.u || minus.u >> 63 != 0)
        reach_error();
    return 0;
}
