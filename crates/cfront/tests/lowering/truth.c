// Conditions branch, values select where that is cheap and defined.
int call(int);
int branches(int a, int b, int *p) {
    if (a && !b || p && *p > 3)
        return 1;
    while (!(a < b))
        a--;
    return 0;
}
int values(int a, int b, int *p) {
    int x = a && b;
    int y = a < 0 || b / 2;
    int z = p && *p;
    int w = a ? b : -b;
    int v = a ? call(b) : 0;
    int u = a / b || b;
    int t = a ?: call(a);
    _Bool s = a;
    _Bool r = p;
    return x + !y + z + w + v + u + t + s + r + (a > b) + ((a == b) != 0);
}
void effects(int a, int b) {
    a && call(b);
    a || call(b);
    a ? call(1) : call(2);
    a / b;
}
