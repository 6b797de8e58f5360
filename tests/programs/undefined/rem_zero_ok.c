// Remainder by an unsigned three.
int main(void) {
    unsigned size = 4 - 1;
    return 7 % size;
}
