// It may give back what it was given.
extern void reach_error(void);
extern int *pick(int *a, int *b);
int main(void) {
    int x = 1, y = 2;
    int *p = pick(&x, &y);
    if (p == &y)
        reach_error();
    return 0;
}
