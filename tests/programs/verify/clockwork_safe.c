// Three loops inside each other that take no input and never end in this life.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    if (__VERIFIER_nondet_int())
        return 0;
    unsigned hours = 0, minutes = 0, seconds = 0;
    while (hours < 100000001u) {
        minutes = 0;
        while (minutes < 100000001u) {
            seconds = 0;
            while (seconds < 100000001u)
                seconds++;
            if (seconds % 2 == 0)
                reach_error();
            minutes++;
        }
        if (minutes % 2 == 0)
            reach_error();
        hours++;
    }
    return 0;
}
