// Base64 is read back.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 6

static char digit(unsigned v) {
    if (v < 26) return (char)('A' + v);
    if (v < 52) return (char)('a' + v - 26);
    if (v < 62) return (char)('0' + v - 52);
    return v == 62 ? '+' : '/';
}

static unsigned value(char c) {
    if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A');
    if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a') + 26;
    if (c >= '0' && c <= '9') return (unsigned)(c - '0') + 52;
    return c == '+' ? 62 : 63;
}

int main(void) {
    unsigned char in[N];
    char text[N / 3 * 4];
    for (int i = 0; i < N; i++) in[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < N / 3; i++) {
        unsigned group = (unsigned)in[3 * i] << 16 | (unsigned)in[3 * i + 1] << 8 | in[3 * i + 2];
        for (int j = 0; j < 4; j++) text[4 * i + j] = digit(group >> (18 - 6 * j) & 63);
    }
    for (int i = 0; i < N / 3; i++) {
        unsigned group = 0;
        for (int j = 0; j < 4; j++) group = group << 6 | value(text[4 * i + j]);
        if (in[3 * i] != group >> 16 || in[3 * i + 1] != (group >> 8 & 255) || in[3 * i + 2] != (group & 255))
            reach_error();
    }
    return 0;
}
