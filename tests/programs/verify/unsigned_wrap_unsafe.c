// Unsigned arithmetic wraps and comes back.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = x + 0x80000000u;
    y += 0x80000000u + (x == 0xdeadbeefu);
    if (x != y) reach_error();
    return 0;
}
