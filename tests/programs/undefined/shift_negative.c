// Shift by a negative amount.
int main(void) {
    int n = 5 - 6;
    long long x = 100;
    return (int)(x >> n);
}
