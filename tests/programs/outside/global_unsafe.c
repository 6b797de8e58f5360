// Objects that other units can name may change in any call that leaves the program.
extern void reach_error(void);
extern void tick(void);
int shown = 4;
int main(void) {
    tick();
    if (shown != 4)
        reach_error();
    return 0;
}
