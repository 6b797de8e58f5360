// Clearing the lowest bit counts bits.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
    unsigned short x = __VERIFIER_nondet_ushort();
    int count = 0, plain = 0;
    for (unsigned short y = x; y != 0; y &= (unsigned short)(y - 1)) count++;
    for (int i = 0; i < 16; i++) plain += x >> i & 1;
    if (count != plain) reach_error();
    return 0;
}
