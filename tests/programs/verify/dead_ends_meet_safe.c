// Both early returns are dead ends, since mode is 2 only if level is still 9. That shows only where the two meet,
// and once that made the unrolled program forget what the branch for large sizes does.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int size = 23, level = 9, mode = 0;

int step(int input) {
    if (mode == 2 && level == 8)
        return 0;
    if (mode == 2 && level == 8)
        return 0;
    else if (input == 4) {
        mode = 2;
        return 0;
    } else if (218 < size) {
        level = 10;
        return 0;
    } else if (input == 5) {
        level = 8;
        return 0;
    }
    size = size / 5 * 5 + 505228;
    return 0;
}

int main(void) {
    int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
    step(first);
    step(second);
    if (first != 4 && first != 5 && second != 4 && level != 10)
        reach_error();
    return 0;
}
