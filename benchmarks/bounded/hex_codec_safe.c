// Bytes written in hexadecimal are read back.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 6

static char digit(unsigned v) { return (char)(v < 10 ? '0' + v : 'a' + v - 10); }

static int value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

int main(void) {
    unsigned char in[N], out[N];
    char text[2 * N];
    for (int i = 0; i < N; i++) {
        in[i] = __VERIFIER_nondet_uchar();
        text[2 * i] = digit(in[i] >> 4);
        text[2 * i + 1] = digit(in[i] & 15);
    }
    for (int i = 0; i < N; i++) {
        int high = value(text[2 * i]), low = value(text[2 * i + 1]);
        if (high < 0 || low < 0) reach_error();
        out[i] = (unsigned char)(high << 4 | low);
    }
    for (int i = 0; i < N; i++)
        if (in[i] != out[i]) reach_error();
    return 0;
}
