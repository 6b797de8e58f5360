// A loop that is entered at its head and in its middle.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0;
    if (n > 3) {
        i = 5;
        goto middle;
    }
again:
    i++;
middle:
    i++;
    if (i < 11)
        goto again;
    if (i > 11)
        reach_error();
    return 0;
}
