// A copy that looks which way to go is right either way.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void copy(char *to, const char *from, int n) {
    if (to < from)
        for (int i = 0; i < n; i++)
            to[i] = from[i];
    else
        for (int i = n - 1; i >= 0; i--)
            to[i] = from[i];
}

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    char a[4] = "abc", b[4];
    copy(b, a, 4);
    if (b[0] != 'a' || b[2] != 'c')
        reach_error();
    copy(a + 1, a, 2);
    if (a[1] != 'a' || a[2] != 'b')
        reach_error();
    return 0;
}
