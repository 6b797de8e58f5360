// Inputs of other types than int.
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
    double d = __VERIFIER_nondet_double();
    float f = __VERIFIER_nondet_float();
    if (d > 0.5 && d < 0.75)
        return 1;
    if (f != f)
        return 2;
    if (__VERIFIER_nondet_bool() && __VERIFIER_nondet_uchar() == 200)
        return 3;
    if (__VERIFIER_nondet_longlong() == -81985529216486896LL)
        return 4;
    return 0;
}
