// A variable that may be read before it is assigned: tests say nothing about it, and it is zero.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int limit;
    int x = __VERIFIER_nondet_int();
    if (x == 5)
        limit = 3;
    if (x > limit)
        return 1;
    return 0;
}
