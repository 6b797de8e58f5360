// The sum of the numbers below 38 and 7 is 710.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    int limit = __VERIFIER_nondet_uchar() % 60;
    int sum = 7, i = 0;
    while (i < limit) {
        sum = sum + i;
        i++;
    }
    if (sum == 710)
        reach_error();
    return 0;
}
