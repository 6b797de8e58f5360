// What is computed from uninitialised data is uninitialised.
static int twice(int v) { return 2 * v + 1; }

int main(void) {
    int *p, x, a[2];
    p = a;
    p[0] = 1;
    x = twice(p[1]) + p[0];
    x ^= 5;
    return x > 7 ? 1 : 0;
}
