// The processor time may not be available.
#include <time.h>

extern void reach_error(void);

int main(void) {
    clock_t t = clock();
    if (t < -1)
        reach_error();
    return 0;
}
