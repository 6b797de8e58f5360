// What it cannot reach stays; the assertion at the end is for the run.
extern void reach_error(void);
extern int read_config(int *level);
extern void abort(void);
int main(void) {
    int level = 1, other = 2;
    static int hidden = 3;
    int got = read_config(&level);
    if (other != 2 || hidden != 3 || (got > 5 && got < 6))
        reach_error();
    abort();
}
