// printf of floating values in all conversions with flags, widths and precisions.
#include <stdio.h>

int main(void) {
    double v[] = {0, -0.0, 1, -1.5, 3.14159265358979, 1e10, 1.5e-7, 123456789, 1e100, 0.5, 2.5, 99.995, 1e-320};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double d = v[i];
        printf("[%f] [%e] [%g] [%G] [%.0f] [%.3e] [%10.2f] [%-12g] [%+g] [% g] [%#g] [%012.3f] [%a]\n", d, d, d, d, d, d, d, d, d, d,
               d, d, d);
    }
    printf("%f %e %g %F\n", 1 / 0.0, -1 / 0.0, 1 / 0.0, -1 / 0.0);
    printf("%5g|%-8f|%08f\n", 1 / 0.0, -1 / 0.0, 1 / 0.0);
    printf("%*.*f %-*.*e\n", 10, 2, 3.14159, 15, 3, 31415.9);
    printf("%.15g %.17g %.20g\n", 0.1, 0.1, 0.1);
    printf("%.40f\n", 0.1);
    printf("%.0e %.0g %#.0f\n", 15.0, 15.0, 15.0);
    return 0;
}
