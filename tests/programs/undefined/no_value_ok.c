// The function returns a value on this path.
static int maybe(int x) {
    if (x) return x * 2;
}

int main(void) {
    int v = maybe(1);
    return v + 1;
}
