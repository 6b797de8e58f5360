// A prefix counts as equal.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == 0;
}

int main(void) {
    char a[6], b[6];
    for (int i = 0; i < 5; i++) {
        a[i] = (char)__VERIFIER_nondet_int();
        b[i] = (char)__VERIFIER_nondet_int();
    }
    a[5] = b[5] = 0;
    int equal = 1;
    for (int i = 0; i < 6 && equal; i++) {
        if (a[i] != b[i]) equal = 0;
        if (a[i] == 0) break;
    }
    if (same(a, b) != equal) reach_error();
    return 0;
}
