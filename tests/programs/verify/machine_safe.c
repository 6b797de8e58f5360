// As machine_unsafe, but there is no way past the second state. A negative input ends it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int state = 0;
    while (1) {
        int c = __VERIFIER_nondet_int();
        if (c < 0)
            return 0;
        if (c == 68 && state == 0)
            state = 1;
        if (c == 79 && state == 1)
            state = 2;
        if (c == 71 && state == 3)
            state = 4;
        if (state == 4)
            reach_error();
    }
}
