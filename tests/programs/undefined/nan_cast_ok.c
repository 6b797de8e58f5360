// The quotient is a number.
int main(void) {
    double zero = 1.0;
    return (int)(0.0 / zero);
}
