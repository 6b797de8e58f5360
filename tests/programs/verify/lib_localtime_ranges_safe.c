// Fields of a broken-down time are in their ranges.
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t s = time(0);
    struct tm *t = localtime(&s);
    if (t && (t->tm_mon < 0 || t->tm_mon > 11 || t->tm_hour > 23 || t->tm_wday > 6))
        reach_error();
    return 0;
}
