// Gray code is undone, and neighbours differ in one bit.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned encode(unsigned x) { return x ^ x >> 1; }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned g = encode(x), back = 0;
    for (int i = 31; i >= 0; i--) back = back << 1 | ((g >> i & 1) ^ (back & 1));
    if (back != x) reach_error();
    unsigned change = g ^ encode(x + 1);
    if (change == 0 || (change & (change - 1)) != 0) reach_error();
    return 0;
}
