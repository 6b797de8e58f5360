// The error needs an input that makes the loop long (EX-1 of the GPS paper).
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0, least = 0;
    while (i < n) {
        least++;
        i++;
    }
    if (least < 1000)
        return 0;
    reach_error();
}
