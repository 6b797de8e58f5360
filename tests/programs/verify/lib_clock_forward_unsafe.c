// The processor time does not run backwards.
#include <time.h>

extern void reach_error(void);

int main(void) {
    clock_t a = clock(), b = clock();
    if (a != -1 && b > a)
        reach_error();
    return 0;
}
