// Two caches never both hold a line for writing.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define STEPS 12
#define CACHES 3
enum { INVALID, SHARED, MODIFIED };

int main(void) {
    int state[CACHES] = {INVALID, INVALID, INVALID};
    unsigned char memory = 0, line[CACHES] = {0, 0, 0}, last = 0;
    for (int step = 0; step < STEPS; step++) {
        unsigned who = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(who < CACHES);
        int write = __VERIFIER_nondet_bool();
        if (write ? state[who] != MODIFIED : state[who] == INVALID) {
            for (unsigned c = 0; c < CACHES; c++)
                if (c != who) {
                    if (state[c] == MODIFIED) { memory = line[c]; state[c] = SHARED; }
                    if (write) state[c] = INVALID;
                }
            line[who] = memory;
            state[who] = write ? MODIFIED : SHARED;
        }
        if (write) {
            last = __VERIFIER_nondet_uchar();
            line[who] = last;
        } else if (line[who] != last) {
            reach_error();
        }
    }
    return 0;
}
