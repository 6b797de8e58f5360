// A file need not open.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    FILE *f = fopen("settings", "r");
    int failed = !f;
    if (f)
        fclose(f);
    if (failed != 0 && failed != 1)
        reach_error();
    return 0;
}
