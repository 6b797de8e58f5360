// Two ways to count bits agree.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static int slow(unsigned x) {
    int n = 0;
    while (x) {
        n += x & 1;
        x >>= 1;
    }
    return n;
}

static int fast(unsigned x) {
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (int)(x * 0x01010101u >> 24);
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (slow(x) != fast(x)) reach_error();
    return 0;
}
