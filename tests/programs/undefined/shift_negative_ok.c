// Shift by zero.
int main(void) {
    int n = 5 - 5;
    long long x = 100;
    return (int)(x >> n);
}
