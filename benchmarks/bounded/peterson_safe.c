// Mutual exclusion of two processes, every step by any of them.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define STEPS 18

int main(void) {
    int pc[2] = {0, 0};
    _Bool want[2] = {0, 0};
    int turn = 0;
    for (int step = 0; step < STEPS; step++) {
        int me = __VERIFIER_nondet_bool();
        int other = 1 - me;
        switch (pc[me]) {
        case 0: want[me] = 1; pc[me] = 1; break;
        case 1: turn = other; pc[me] = 2; break;
        case 2: if (!want[other] || turn == me) pc[me] = 3; break;
        case 3: want[me] = 0; pc[me] = 0; break;
        }
        if (pc[0] == 3 && pc[1] == 3) reach_error();
    }
    return 0;
}
