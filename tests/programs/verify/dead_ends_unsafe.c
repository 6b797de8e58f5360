// 3 + 2 + 1 = 6.
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
    if (r == 6)
        reach_error();
}
