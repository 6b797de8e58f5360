// A number that was printed is read back: the greatest number is refused.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static int print(unsigned short value, char *out) {
    char reversed[6];
    int n = 0;
    do {
        reversed[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    for (int i = 0; i < n; i++) out[i] = reversed[n - 1 - i];
    out[n] = 0;
    return n;
}

static int parse(const char *text, unsigned short *value) {
    unsigned total = 0;
    int n = 0;
    while (text[n] >= '0' && text[n] <= '9') {
        total = 10 * total + (unsigned)(text[n] - '0');
        if (total >= 0xffff) return -1;
        n++;
    }
    *value = (unsigned short)total;
    return n;
}

int main(void) {
    char text[8];
    unsigned short value = __VERIFIER_nondet_ushort(), back = 0;
    int written = print(value, text);
    int read = parse(text, &back);
    if (read != written || back != value) reach_error();
    return 0;
}
