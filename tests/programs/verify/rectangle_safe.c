// Rows of at least 8 each: 5 rows have 40 cells or more. Needs a bound of the count by the rows.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    int rows = __VERIFIER_nondet_ushort(), width = __VERIFIER_nondet_ushort();
    if (rows < 5 || rows > 3000 || width < 8 || width > 3000)
        return 0;
    int cells = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < width; c++)
            cells++;
    if (cells < 40)
        reach_error();
    return 0;
}
