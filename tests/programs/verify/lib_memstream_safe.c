// What was written to a stream in memory.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    char b[8] = "";
    FILE *f = fmemopen(b, sizeof b, "w");
    fputs("ok", f);
    fclose(f);
    if (b[0] != 'o' || b[2] != 0)
        reach_error();
    return 0;
}
