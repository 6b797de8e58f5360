// Text put behind what is there. _GNU_SOURCE
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    char b[16] = "ab";
    FILE *f = fmemopen(b, sizeof b, "a");
    fputc('c', f);
    fputs("de", f);
    fclose(f);
    puts(b);
    f = fmemopen(b, sizeof b, "r+");
    fputs("XY", f);
    fclose(f);
    puts(b);
    return 0;
}
