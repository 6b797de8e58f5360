// Output to a file that takes everything.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("/dev/null", "w");
    if (!f)
        return 1;
    printf("%d\n", fprintf(f, "%d", 12345));
    printf("%d %d\n", fileno(f) > 2, ferror(f));
    printf("%d\n", fclose(f));
    return 0;
}
