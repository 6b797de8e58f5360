// Floating-point numbers.
#include <stdio.h>

int main(void) {
    float f = 0;
    double d = 0;
    long double l = 0;
    int r = scanf("%f %lf %Lf", &f, &d, &l);
    printf("%d %g %g %Lg\n", r, f, d, l);
    return 0;
}
