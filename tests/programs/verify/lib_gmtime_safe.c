// The first second of 2000.
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t s = 946684800;
    struct tm *t = gmtime(&s);
    if (t->tm_year != 100 || t->tm_mon != 0 || t->tm_mday != 1)
        reach_error();
    return 0;
}
