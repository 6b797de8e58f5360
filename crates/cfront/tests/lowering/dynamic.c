// Arrays of variable length, statement expressions, builtins.
int vla(int n) {
    int a[n][3];
    a[n - 1][2] = sizeof a;
    for (int i = 0; i < n; i++) {
        char b[i + 1];
        if (b[i])
            break;
    }
    return a[0][1] + (int)(&a[2] - &a[0]);
}
int expressions(int x, unsigned char u) {
    int r;
    char c;
    _Bool o = __builtin_add_overflow(x, 1, &r);
    if (__builtin_mul_overflow(x, u, &c))
        __builtin_unreachable();
    char *p = __builtin_alloca(x);
    int y = ({ int t = x; while (t > 10) t /= 2; t; }) + ({ if (o) return 3; 4; });
    return y + *p + r + c + __builtin_popcount(u);
}
