// A file is read at most so many times.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    FILE *f = fopen("data", "r");
    if (!f)
        return 0;
    int n = 0;
    while (n < 4 && fgetc(f) != EOF)
        n++;
    fclose(f);
    if (n > 4)
        reach_error();
    return 0;
}
