// Evaluation from left to right: an operand is saved before a later one can change it.
int g, h;
int next(void) { return ++g; }
int f(int x, int *p) {
    int a = x + x++;
    int b = g + next();
    int c = next() + g;
    int d = x * 2 + (x = 5);
    p[x++] = x + next();
    *p++ += g = h;
    return (a, b) + (x, c) - d;
}
