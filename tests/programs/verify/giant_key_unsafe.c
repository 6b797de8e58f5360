// A key of ten digits: nobody unrolls this loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0, most = 0;
    while (i < n) {
        i++;
        most++;
    }
    if (most < 1000000000)
        return 0;
    reach_error();
}
