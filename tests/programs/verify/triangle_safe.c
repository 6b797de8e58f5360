// A sum of bounded numbers: it grows with the square of the turns, but by less than 60 in each, and
// that keeps it from wrapping around.
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
    if (sum < 7)
        reach_error();
    return 0;
}
