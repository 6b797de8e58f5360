// A counter that goes up by two stays even, also when it wraps.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = 0;
    unsigned n = __VERIFIER_nondet_uint() % 100000;
    while (n > 0) {
        x += 2;
        if (x == 778) x++;
        n--;
    }
    if (x % 2 != 0) reach_error();
    return 0;
}
