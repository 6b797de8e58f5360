// With the rules of SV-COMP it has no effect, and the verdict says so.
extern void reach_error(void);
extern int read_config(int *level);
extern void abort(void);
int main(void) {
    int level = 1;
    int got = read_config(&level);
    if (level != 1 || (got > 5 && got < 6))
        reach_error();
    abort();
}
