// The sign bit of a float read as a number.
extern unsigned __VERIFIER_nondet_uint(void);
extern float fabsf(float);
union word {
    float f;
    unsigned u;
};
extern void reach_error(void);

int main(void) {
    union word x, minus, magnitude;
    x.u = __VERIFIER_nondet_uint();
    minus.f = -x.f;
    magnitude.f = fabsf(minus.f);
    if (minus.u != (x.u ^ 0x80000000u) || magnitude.u != (x.u & 0x7fffffffu))
        reach_error();
    return 0;
}
