// Real numbers.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    double d;
    float f;
    if (scanf("%lf%f", &d, &f) == 2 && d > 1.5 && d < 2 && f < -3)
        reach_error();
    printf("done\n");
    return 0;
}
