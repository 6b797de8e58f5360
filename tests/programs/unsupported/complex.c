// Complex numbers.
int main(void) {
    double _Complex z = 1.0 + 2.0i;
    z = z * z;
    return (int)__real__ z;
}
