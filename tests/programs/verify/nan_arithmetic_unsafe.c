// What an operation makes of a NaN is a quiet NaN; its sign may be any.
extern unsigned __VERIFIER_nondet_uint(void);
union word {
    float f;
    unsigned u;
};
extern void reach_error(void);

int main(void) {
    union word x, y;
    x.u = __VERIFIER_nondet_uint() | 0x7f800001u;
    y.f = x.f + 1.0f;
    if (y.u == 0xffc00077u)
        reach_error();
    return 0;
}
