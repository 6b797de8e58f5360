// The fortieth of January is the ninth of February.
#include <string.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
    struct tm t;
    memset(&t, 0, sizeof t);
    t.tm_year = 100;
    t.tm_mday = 40;
    t.tm_isdst = -1;
    mktime(&t);
    if (t.tm_mon == 1 && t.tm_mday == 9)
        reach_error();
    return 0;
}
