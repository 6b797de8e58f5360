// A pointer to a variable of a block that was left.
int main(void) {
    int *p = 0, y = 0;
    for (int i = 1; i < 3; i++) {
        int x = i; p = &x;
    }
    return *p + y;
}
