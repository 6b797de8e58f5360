// Minimum, maximum and mean without branches: the sum does not fit.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    unsigned less = -(unsigned)(a < b);
    int least = (int)((unsigned)b ^ (((unsigned)a ^ (unsigned)b) & less));
    int most = (int)((unsigned)a ^ (((unsigned)a ^ (unsigned)b) & less));
    if (least != (a < b ? a : b) || most != (a < b ? b : a)) reach_error();
    int mean = (int)(((unsigned)a + (unsigned)b) / 2);
    if (mean < least || mean > most) reach_error();
    return 0;
}
