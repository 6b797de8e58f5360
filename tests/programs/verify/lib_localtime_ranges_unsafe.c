// Fields of a broken-down time are in their ranges.
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t s = time(0);
    struct tm *t = localtime(&s);
    if (t && t->tm_hour > 22)
        reach_error();
    return 0;
}
