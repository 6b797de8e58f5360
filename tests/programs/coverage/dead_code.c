// What no execution reaches: a contradiction, a function that is never called, one that is called only
// from dead code, the inside of a loop that never turns.
extern int __VERIFIER_nondet_int(void);

static int unused(int x) {
    if (x > 0)
        return 1;
    return 2;
}

static int only_from_dead_code(int x) {
    return x > 3 ? 1 : 2;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x & 15;
    if (y > 15)
        return only_from_dead_code(x);
    while (y > 20)
        y--;
    if (x * 2 == 7)
        return 3;
    if (y == 9)
        return 4;
    return 0;
}
