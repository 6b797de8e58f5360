// A code point that was encoded as UTF-8 is decoded: the shortest lead byte of three is taken for one of two.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int encode(unsigned c, unsigned char *out) {
    if (c < 0x80) {
        out[0] = (unsigned char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (unsigned char)(0xc0 | c >> 6);
        out[1] = (unsigned char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (unsigned char)(0xe0 | c >> 12);
        out[1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        out[2] = (unsigned char)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (unsigned char)(0xf0 | c >> 18);
    out[1] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (unsigned char)(0x80 | (c & 0x3f));
    return 4;
}

static int decode(const unsigned char *in, unsigned *c) {
    unsigned char first = in[0];
    int more = first < 0x80 ? 0 : first <= 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    unsigned value = more == 0 ? first : first & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((in[i] & 0xc0) != 0x80) return -1;
        value = value << 6 | (in[i] & 0x3f);
    }
    *c = value;
    return more + 1;
}

int main(void) {
    unsigned char text[3][4];
    for (int k = 0; k < 3; k++) {
        unsigned c = __VERIFIER_nondet_uint(), back = 0;
        __VERIFIER_assume(c < 0x110000);
        int n = encode(c, text[k]);
        if (decode(text[k], &back) != n || back != c) reach_error();
    }
    return 0;
}
