// The pointer is cast back before the call.
static int half(int x) { return x / 2; }

int main(void) {
    int (*g)(double) = (int (*)(double))half; int (*f)(int) = (int (*)(int))g; return f(8);
}
