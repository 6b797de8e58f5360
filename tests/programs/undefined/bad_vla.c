// A variable-length array of negative size.
int main(void) {
    int n = 4 - 5;
    int a[n];
    a[0] = 3;
    return a[0];
}
