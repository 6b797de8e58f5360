// The exit code is for the world outside.
int main(void) {
    int a[3];
    a[0] = 0;
    int b = a[2];
    return b;
}
