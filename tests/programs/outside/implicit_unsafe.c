// A function that is not even declared.
extern void reach_error(void);
int main(void) {
    int x = helper(3);
    if (x == 12)
        reach_error();
    return 0;
}
