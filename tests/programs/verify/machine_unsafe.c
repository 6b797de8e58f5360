// A machine that waits for the right inputs (Figure 9 of the GPS paper).
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int state = 0;
    while (1) {
        int c = __VERIFIER_nondet_int();
        int s0 = __VERIFIER_nondet_int();
        int s1 = __VERIFIER_nondet_int();
        int s2 = __VERIFIER_nondet_int();
        if (c == 68 && state == 0)
            state = 1;
        if (c == 79 && state == 1)
            state = 2;
        if (c == 71 && state == 2)
            state = 3;
        if (state == 3 && s0 == 67 && s1 == 65 && s2 == 84)
            reach_error();
    }
}
