// The time may not be available.
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t t = time(0);
    if (t == (time_t)-1)
        reach_error();
    return 0;
}
