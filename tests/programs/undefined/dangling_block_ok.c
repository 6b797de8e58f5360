// A pointer to a variable of the enclosing block.
int main(void) {
    int *p = 0, y = 0;
    for (int i = 1; i < 3; i++) {
        y = i; p = &y;
    }
    return *p + y;
}
