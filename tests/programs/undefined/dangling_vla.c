// A variable-length array is gone when its scope was left.
int main(void) {
    int n = 4, *p;
    { int a[n]; a[1] = 3; p = a; }
    return p[1];
}
