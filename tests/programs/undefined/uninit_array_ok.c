// All elements are set before use.
int main(void) {
    int a[10], s = 0;
    for (int i = 0; i < 9; i++) a[i] = i;
    a[3]++;
    for (int i = 0; i < 9; i++) s += a[i];
    return s;
}
