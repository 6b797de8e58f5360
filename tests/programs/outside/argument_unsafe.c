// A function from outside may change what it is given a pointer to.
extern void reach_error(void);
extern int read_config(int *level);
int main(void) {
    int level = 1;
    read_config(&level);
    if (level == 7)
        reach_error();
    return 0;
}
