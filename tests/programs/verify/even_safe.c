// Needs an invariant that summaries do not have (EX-3 of the GPS paper): x stays even.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned m = __VERIFIER_nondet_uint();
    unsigned x = 2;
    while (n-- > 1)
        x = 2 * x;
    while (m-- > 1)
        x = x - 2;
    if (x == 1)
        reach_error();
}
