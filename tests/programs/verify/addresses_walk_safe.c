// A pointer that moves through an array is compared with its end.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int sum(const int *from, const int *end) {
    int all = 0;
    for (const int *p = from; p < end; p++) {
        if (p < from)
            reach_error();
        all += *p & 1;
    }
    return all;
}

int main(void) {
    int a[6] = {1, 2, 3, __VERIFIER_nondet_int()};
    return sum(a, a + 6) > 6;
}
