// Remainder by an unsigned zero.
int main(void) {
    unsigned size = 4 - 4;
    return 7 % size;
}
