// A function returns what nobody has set; the caller uses it.
static int pick(int c) {
    int v;
    if (c) v = 3;
    return v;
}

int main(void) {
    int x = pick(0), y = x;
    return y == 3;
}
