// An element that no loop has set is used.
int main(void) {
    int a[10], s = 0;
    for (int i = 0; i < 9; i++) a[i] = i;
    a[3]++;
    for (int i = 0; i < 10; i++) s += a[i];
    return s;
}
