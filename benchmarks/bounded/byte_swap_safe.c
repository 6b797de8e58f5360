// Swapping bytes by shifts and through memory is the same.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

int main(void) {
    unsigned long x = __VERIFIER_nondet_ulong();
    unsigned long v = x;
    v = (v >> 8 & 0x00ff00ff00ff00fful) | (v & 0x00ff00ff00ff00fful) << 8;
    v = (v >> 16 & 0x0000ffff0000fffful) | (v & 0x0000ffff0000fffful) << 16;
    v = v >> 32 | v << 32;
    const unsigned char *in = (const unsigned char *)&x;
    const unsigned char *out = (const unsigned char *)&v;
    for (int i = 0; i < 8; i++)
        if (in[i] != out[7 - i]) reach_error();
    return 0;
}
