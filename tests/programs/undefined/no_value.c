// The value of a function that ended without one is used.
static int maybe(int x) {
    if (x) return x * 2;
}

int main(void) {
    int v = maybe(0);
    return v + 1;
}
