// Safe by dead ends alone (EX-2 of the GPS paper): the sum grows past 2.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int r = 0;
    if (n > 1000)
        return 0;
    while (n > 0) {
        r = r + n;
        n--;
    }
    if (r == 2)
        reach_error();
}
