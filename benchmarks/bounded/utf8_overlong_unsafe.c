// A validator that forgets overlong forms accepts a second spelling of a letter.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned char text[6];
    for (int i = 0; i < 6; i++) text[i] = __VERIFIER_nondet_uchar();
    int at = 0;
    while (at < 6) {
        unsigned char first = text[at];
        int more = first < 0x80 ? 0 : (first & 0xe0) == 0xc0 ? 1 : (first & 0xf0) == 0xe0 ? 2 : -1;
        if (more < 0 || at + more >= 6) return 0;
        unsigned value = more == 0 ? first : first & (0x3fu >> more);
        for (int i = 1; i <= more; i++) {
            if ((text[at + i] & 0xc0) != 0x80) return 0;
            value = value << 6 | (text[at + i] & 0x3f);
        }
        if (more == 2 && value < 0x800) return 0;
        if (more == 1 && value == 'A') reach_error();
        at += more + 1;
    }
    return 0;
}
