// A function inside a function.
int main(void) {
    int base = 3;
    int add(int x) { return x + base; }
    return add(4);
}
