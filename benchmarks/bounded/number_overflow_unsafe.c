// A parser of numbers that checks too late.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void) {
    char text[6];
    for (int i = 0; i < 5; i++) text[i] = __VERIFIER_nondet_char();
    text[5] = 0;
    unsigned char value = 0;
    unsigned exact = 0;
    int n = 0;
    while (text[n] >= '0' && text[n] <= '9') {
        unsigned char next = (unsigned char)(10 * value + (text[n] - '0'));
        if (next < value) return 0;
        value = next;
        exact = 10 * exact + (unsigned)(text[n] - '0');
        n++;
    }
    if (exact != value) reach_error();
    return 0;
}
