// The integer square root is one.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_ushort();
    unsigned rest = x, root = 0;
    for (unsigned bit = 1u << 14; bit != 0; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    if (root * root > x || (root + 1) * (root + 1) <= x) reach_error();
    return 0;
}
