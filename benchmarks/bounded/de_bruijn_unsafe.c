// The lowest bit by multiplication and by search is the same: two entries are exchanged.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    static const unsigned char table[32] = {
        0, 1, 28, 2, 29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4, 8,
        31, 27, 13, 23, 21, 19, 16, 7, 26, 18, 12, 6, 11, 5, 10, 9,
    };
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x != 0);
    unsigned fast = table[(x & -x) * 0x077cb531u >> 27];
    unsigned slow = 0;
    while ((x >> slow & 1) == 0) slow++;
    if (fast != slow) reach_error();
    return 0;
}
