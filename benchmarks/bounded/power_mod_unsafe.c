// Fast and slow powers modulo a number are the same: two moduli are used.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    unsigned base = __VERIFIER_nondet_uchar(), exponent = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(base < 32 && exponent < 8);
    unsigned short fast = 1, b = (unsigned short)base, slow = 1;
    for (unsigned e = exponent; e != 0; e >>= 1) {
        if (e & 1) fast = (unsigned short)(fast * b) % 29;
        b = (unsigned short)(b * b) % 31;
    }
    for (unsigned i = 0; i < exponent; i++) slow = (unsigned short)(slow * base) % 31;
    if (fast != slow) reach_error();
    return 0;
}
