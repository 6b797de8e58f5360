// A function is called through a pointer of another type.
static int half(int x) { return x / 2; }

int main(void) {
    int (*f)(double) = (int (*)(double))half; return f(8);
}
