// Pointers that one load has given, in two turns of a loop, need not be into one object.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x, y;
int *table[2] = {&x, &y};

int main(void) {
    int n = __VERIFIER_nondet_int();
    int *before = &x;
    for (int i = 0; i < n; i++) {
        int *p = table[i & 1];
        if (p < before)
            reach_error();
        before = p;
    }
    return 0;
}
