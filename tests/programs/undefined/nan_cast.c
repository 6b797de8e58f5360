// A NaN is converted to an integer.
int main(void) {
    double zero = 0.0;
    return (int)(0.0 / zero);
}
