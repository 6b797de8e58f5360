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
    if (y.f == y.f || (y.u & 0x7fc00000u) != 0x7fc00000u)
        reach_error();
    return 0;
}
