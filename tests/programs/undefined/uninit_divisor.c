// A divisor that nobody has set.
int main(void) {
    struct { int a, b; } s, t;
    s.a = 3;
    t = s;
    int q = t.a / t.b;
    (void)q;
    return 0;
}
