// A variable-length array of one element.
int main(void) {
    int n = 4 - 3;
    int a[n];
    a[0] = 3;
    return a[0];
}
