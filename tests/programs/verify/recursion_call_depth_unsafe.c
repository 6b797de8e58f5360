// Recursion of any depth, with a counter that saturates.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int depth = 0;

void visit(int n) {
    if (n <= 0)
        return;
    if (depth < 10)
        depth = depth + 1;
    visit(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    visit(n);
    if (depth < 0 || depth > 6)
        reach_error();
    return 0;
}
