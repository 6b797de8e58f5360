// A stream that is open is closed once.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    FILE *f = fopen("settings", "r");
    if (!f)
        return 0;
    int end = feof(f);
    fclose(f);
    if (end != 0)
        reach_error();
    return 0;
}
